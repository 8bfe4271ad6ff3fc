// The lanes of all effects: their layout, and moving and zooming.

class Lanes extends LaneDrawing {
  constructor(recording, container, tooltip, select) {
    super();
    Object.assign(this, { recording, container, tooltip, select });
    this.canvas = container.querySelector('canvas');
    this.spacer = container.querySelector('.spacer');
    this.context = this.canvas.getContext('2d');
    this.axis = new TimeAxis();
    this.groups = [];
    this.groupOfName = new Map();
    this.placed = 0;
    this.from = 0;
    this.to = 1;
    this.selected = null;
    this.drag = null;
    this.isWaiting = false;
    container.addEventListener('scroll', () => this.redraw());
    new ResizeObserver(() => this.redraw()).observe(container);
    container.addEventListener('wheel', event => this.wheel(event), { passive: false });
    this.canvas.addEventListener('pointerdown', event => this.down(event));
    this.canvas.addEventListener('pointermove', event => this.move(event));
    this.canvas.addEventListener('pointerup', event => this.up(event));
    this.canvas.addEventListener('pointerleave', () => { if (!this.drag) this.tooltip.hidden = true; });
    this.canvas.addEventListener('dblclick', event => {
      const found = this.hit(event);
      if (found && found.run) this.zoomTo(found.run.time, this.endOf(found.run));
    });
  }

  // MARK: Layout

  // Adds the new part of the recording.
  grow() {
    const wasWhole = this.from === 0 && Math.abs(this.to - this.axis.length) < 1;
    // While a recording grows, idle time is folded anew once the recording has grown by half.
    if (this.isShown && this.recording.rows < this.measured * 1.5) this.axis.extend(this.recording);
    else {
      this.axis.measure(this.recording);
      this.measured = this.recording.rows;
    }
    for (; this.placed < this.recording.runs.length; this.placed++) this.put(this.recording.runs[this.placed]);
    if (wasWhole || !this.isShown) { this.from = 0; this.to = this.axis.length; this.isShown = true; }
    this.measure();
    this.redraw();
  }

  put(run) {
    let group = this.groupOfName.get(run.effect);
    if (!group) {
      group = { name: run.effect, runs: [], lanes: [], isOpen: true, isTouched: false, counts: null };
      this.groupOfName.set(run.effect, group);
      this.groups.push(group);
    }
    group.runs.push(run);
    group.counts = null;
    let lane = -1;
    for (let i = 0; i < group.lanes.length; i++) {
      const last = group.lanes[i][group.lanes[i].length - 1];
      if (last.over < 0 || last.over > run.time) continue;
      if (lane < 0) lane = i;
      if (last.values[0].request === run.values[0].request) { lane = i; break; }
    }
    if (lane < 0) { lane = group.lanes.length; group.lanes.push([]); }
    group.lanes[lane].push(run);
    run.lane = lane;
    run.group = group;
    if (!group.isTouched) group.isOpen = group.lanes.length <= MANY;
  }

  measure() {
    let top = RULER + ACTIONS + SPACE;
    for (const group of this.groups) {
      group.top = top;
      group.height = group.isOpen ? group.lanes.length * LANE : STRIP;
      top += group.height + SPACE;
    }
    this.spacer.style.height = top + 'px';
  }

  laneTop(run) { return run.group.top + (run.group.isOpen ? run.lane * LANE : 0) - this.container.scrollTop; }

  get gutter() { return Math.min(190, Math.max(110, this.width * 0.2)); }
  x(time) { return this.gutter + (this.axis.place(time) - this.from) / (this.to - this.from) * (this.width - this.gutter); }
  timeOf(x) {
    return this.axis.timeAt(this.from + (x - this.gutter) / (this.width - this.gutter) * (this.to - this.from));
  }
  endOf(run) { return run.over >= 0 ? run.over : Math.max(this.recording.end, run.time); }

  // MARK: Moving

  zoom(factor, x) {
    const at = x === undefined ? this.middle() : x;
    const place = this.from + (at - this.gutter) / (this.width - this.gutter) * (this.to - this.from);
    const least = Math.min(20, this.axis.length);
    const length = Math.min(this.axis.length, Math.max(least, (this.to - this.from) * factor));
    const share = (place - this.from) / (this.to - this.from);
    this.show(place - share * length, length);
  }
  // The centre for zooming by keys: the selection, if it is in view.
  middle() {
    if (this.selected) {
      const x = this.x(this.selected.run ? this.selected.run.time : this.recording.time.get(this.selected.row));
      if (x >= this.gutter && x <= this.width) return x;
    }
    return (this.width + this.gutter) / 2;
  }
  show(from, length) {
    this.from = Math.max(0, Math.min(from, this.axis.length - length));
    this.to = this.from + length;
    this.redraw();
  }
  pan(share) { const length = this.to - this.from; this.show(this.from + share * length, length); }
  fit() { this.show(0, this.axis.length); }
  zoomTo(from, to) {
    const start = this.axis.place(from), length = Math.max(40, this.axis.place(to) - start);
    this.show(start - length * 0.15, Math.min(this.axis.length, length * 1.3));
  }
  fold(isFolded) {
    const from = this.axis.timeAt(this.from), to = this.axis.timeAt(this.to);
    this.axis.isFolded = isFolded;
    this.axis.measure(this.recording);
    const place = this.axis.place(from);
    this.show(place, Math.max(1, Math.min(this.axis.length, this.axis.place(to) - place)));
  }
  // Brings the selection into view.
  reveal(selected) {
    this.selected = selected;
    if (!selected) { this.redraw(); return; }
    const time = selected.run ? selected.run.time : this.recording.time.get(selected.row);
    const place = this.axis.place(time), length = this.to - this.from;
    if (place < this.from + length * 0.02 || place > this.to - length * 0.02) this.show(place - length / 2, length);
    if (selected.run) {
      const y = this.laneTop(selected.run);
      if (y < RULER + ACTIONS) this.container.scrollTop += y - RULER - ACTIONS - SPACE;
      if (y > this.container.clientHeight - LANE) this.container.scrollTop += y - this.container.clientHeight + 2 * LANE;
    }
    this.redraw();
  }

  wheel(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) {
      event.preventDefault();
      this.zoom(Math.exp(event.deltaY * 0.002), event.offsetX);
    } else if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
      event.preventDefault();
      this.pan((event.deltaX || event.deltaY) / this.width);
    }
  }

  down(event) {
    if (event.button !== 0) return;
    this.canvas.setPointerCapture(event.pointerId);
    this.drag = { x: event.offsetX, from: this.from, isRange: event.offsetY < RULER || event.shiftKey, isMoved: false, to: event.offsetX };
  }
  move(event) {
    if (!this.drag) { this.hover(event); return; }
    const by = event.offsetX - this.drag.x;
    if (Math.abs(by) > 3) this.drag.isMoved = true;
    this.drag.to = event.offsetX;
    if (!this.drag.isMoved) return;
    this.tooltip.hidden = true;
    if (this.drag.isRange) this.redraw();
    else this.show(this.drag.from - by / (this.width - this.gutter) * (this.to - this.from), this.to - this.from);
  }
  up(event) {
    const drag = this.drag;
    this.drag = null;
    if (!drag) return;
    if (drag.isMoved && drag.isRange) {
      const times = [this.timeOf(drag.x), this.timeOf(drag.to)].sort((a, b) => a - b);
      const start = this.axis.place(times[0]);
      this.show(start, Math.max(20, this.axis.place(times[1]) - start));
    } else if (!drag.isMoved) {
      const found = this.hit(event);
      if (found && found.group) {
        found.group.isOpen = !found.group.isOpen;
        found.group.isTouched = true;
        this.measure();
        this.redraw();
      } else if (found) this.select(found);
    }
    this.redraw();
  }

  hit(event) {
    const x = event.offsetX, y = event.offsetY;
    if (y < RULER) return null;
    if (y < RULER + ACTIONS) {
      if (x < this.gutter) return null;
      const row = this.nearestRow(this.timeOf(x));
      return row >= 0 && Math.abs(this.x(this.recording.time.get(row)) - x) < 6 ? { row } : null;
    }
    const top = y + this.container.scrollTop;
    const group = this.groups.find(group => top >= group.top && top < group.top + group.height);
    if (!group) return null;
    if (x < this.gutter) return { group };
    if (!group.isOpen) return null;
    const lane = group.lanes[Math.floor((top - group.top) / LANE)];
    if (!lane) return null;
    const near = Math.max(0, this.before(lane, this.timeOf(x + 4)));
    for (let i = near; i >= Math.max(0, near - 1); i--) {
      const run = lane[i];
      if (this.x(run.time) <= x + 4 && Math.max(this.x(this.endOf(run)), this.x(run.time) + 2) >= x - 4) return { run };
    }
    return null;
  }
  // The last run of a lane that began before or at a time.
  before(lane, time) {
    let low = 0, high = lane.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (lane[middle].time <= time) low = middle + 1; else high = middle;
    }
    return low - 1;
  }
  nearestRow(time) {
    const times = this.recording.time;
    let low = 0, high = this.recording.rows;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (times.get(middle) < time) low = middle + 1; else high = middle;
    }
    if (low === this.recording.rows) return low - 1;
    return low > 0 && time - times.get(low - 1) < times.get(low) - time ? low - 1 : low;
  }

  hover(event) {
    const found = this.hit(event);
    this.canvas.style.cursor = found ? 'pointer' : event.offsetY < RULER ? 'col-resize' : 'grab';
    if (!found || found.group) { this.tooltip.hidden = true; return; }
    const lines = [];
    if (found.run) {
      const run = found.run, time = this.timeOf(event.offsetX);
      lines.push(run.effect + ' #' + run.generation, run.values.findLast((value, index) => !index || value.time <= time).request, describeEnding(run) + ', ' + moment(run.time) + ', ' + duration(this.endOf(run) - run.time));
      for (const wait of run.waits.slice(0, 3)) {
        lines.push('waited for ' + wait.reason + ', ' + duration((wait.end < 0 ? this.endOf(run) : wait.end) - wait.begin));
      }
    } else lines.push(rowTitle(this.recording, found.row), moment(this.recording.time.get(found.row)));
    this.tooltip.textContent = lines.map(line => line.length > 160 ? line.slice(0, 159) + '…' : line).join('\n');
    this.tooltip.hidden = false;
    const box = this.tooltip.getBoundingClientRect();
    this.tooltip.style.left = Math.max(4, Math.min(event.clientX + 12, innerWidth - box.width - 8)) + 'px';
    this.tooltip.style.top = (event.clientY + 18 + box.height > innerHeight ? event.clientY - box.height - 10 : event.clientY + 18) + 'px';
  }
}

function describeEnding(run) {
  switch (run.ending) {
    case 'running': return 'in progress';
    case 'answered': return 'answered by its action ' + run.endedBy;
    case 'withdrawn': return 'withdrawn by action ' + run.endedBy;
    case 'failed': return 'failed: ' + visible(run.error);
    default: return run.ending;
  }
}

// Describes what became of one of a run's values.
function describeServing(run, value) {
  const next = run.values[run.values.indexOf(value) + 1];
  return next ? 'got ' + cut(next.request, 60) + (next.by > 0 ? ' by action ' + next.by : '') : describeEnding(run);
}

function rowTitle(recording, row) {
  const label = recording.label(row);
  switch (recording.kind.get(row)) {
    case ROW.action: return recording.sequence.get(row) + ' ' + label;
    case ROW.fenced: return 'fenced ' + label;
    case ROW.refused: return 'refused ' + label;
    default: return label;
  }
}
