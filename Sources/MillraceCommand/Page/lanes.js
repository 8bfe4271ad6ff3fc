// The lanes of all effects, drawn for the visible range alone.

const RULER = 24, ACTIONS = 26, LANE = 18, SPACE = 8, STRIP = 34, MANY = 12;

class Lanes {
  constructor(recording, container, tooltip, select) {
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

  // Takes in what the recording has more than before.
  grow() {
    const wasWhole = this.from === 0 && Math.abs(this.to - this.axis.length) < 1;
    // While a recording grows, idle time is folded anew when it is longer by half.
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
      if (last.request === run.request) { lane = i; break; }
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

  get gutter() { return Math.min(190, Math.max(110, this.canvas.clientWidth * 0.2)); }
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
  // Zooming by keys keeps the selection in place, if it is in view.
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
  // Brings what is selected into view.
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
  // The last run of a lane that began by a time.
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
      const run = found.run;
      lines.push(run.effect + ' #' + run.generation, run.request, describeEnding(run) + ', ' + moment(run.time) + ', ' + duration(this.endOf(run) - run.time));
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

  // MARK: Drawing

  redraw() {
    if (this.isWaiting) return;
    this.isWaiting = true;
    requestAnimationFrame(() => { this.isWaiting = false; this.draw(); });
  }

  readColours() {
    const style = getComputedStyle(document.documentElement);
    this.colours = {};
    for (const name of ['text', 'faint', 'line', 'ground', 'raised', 'accent', 'finished', 'answered', 'withdrawn', 'disconnected', 'failed', 'running', 'hatch']) {
      this.colours[name] = style.getPropertyValue('--' + name).trim();
    }
  }

  draw() {
    const ratio = devicePixelRatio || 1, context = this.context;
    this.width = this.container.clientWidth;
    this.height = this.container.clientHeight;
    if (!this.width || !this.height) return;
    const [w, h] = [Math.round(this.width * ratio), Math.round(this.height * ratio)];
    if (this.canvas.width !== w || this.canvas.height !== h) {
      Object.assign(this.canvas, { width: w, height: h });
      this.canvas.style.width = this.width + 'px';
      this.canvas.style.height = this.height + 'px';
    }
    if (!this.colours) this.readColours();
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, this.width, this.height);
    context.font = '12px system-ui, sans-serif';
    context.textBaseline = 'middle';
    context.save();
    context.beginPath();
    context.rect(0, RULER + ACTIONS, this.width, this.height - RULER - ACTIONS);
    context.clip();
    this.drawFolds();
    for (const group of this.groups) this.drawGroup(group);
    context.restore();
    this.drawRuler();
    this.drawActions();
    this.drawCauses();
    this.drawSelection();
  }

  clipRight() {
    this.context.save();
    this.context.beginPath();
    this.context.rect(this.gutter, 0, this.width - this.gutter, this.height);
    this.context.clip();
  }

  drawFolds() {
    this.clipRight();
    this.context.fillStyle = this.colours.raised;
    for (const fold of this.axis.folds) {
      const from = this.x(fold.from), to = this.x(fold.to);
      if (to < this.gutter || from > this.width) continue;
      this.context.fillRect(from, 0, Math.max(2, to - from), this.height);
    }
    this.context.restore();
  }

  drawRuler() {
    const { context, colours } = this;
    context.fillStyle = colours.ground;
    context.fillRect(0, 0, this.width, RULER + ACTIONS);
    context.fillStyle = colours.faint;
    context.fillText('time', 10, RULER / 2);
    this.clipRight();
    const span = this.timeOf(this.width) - this.timeOf(this.gutter);
    const visible = (this.to - this.from) || 1;
    let step = Math.pow(10, Math.floor(Math.log10(visible / Math.max(2, (this.width - this.gutter) / 110))));
    for (const factor of [1, 2, 5, 10]) {
      if (step * factor / visible * (this.width - this.gutter) > 90) { step *= factor; break; }
    }
    step = Math.max(step, 1);
    let last = -1000;
    const first = Math.ceil(this.timeOf(this.gutter) / step) * step;
    let time = first;
    for (let count = 0; count < 400 && time <= this.timeOf(this.width) && span >= 0; count++) {
      const x = this.x(time);
      if (x - last > 80) {
        context.strokeStyle = colours.line;
        context.beginPath();
        context.moveTo(x + 0.5, RULER - 6);
        context.lineTo(x + 0.5, RULER);
        context.stroke();
        const text = tickText(time, step);
        if (x + 4 + context.measureText(text).width < this.width) context.fillText(text, x + 4, RULER / 2);
        last = x;
      }
      // Past the end of a fold there are no ticks within it.
      const next = this.timeOf(Math.max(x + 1, last + 80));
      time = Math.max(time + step, Math.ceil(next / step) * step);
    }
    for (const fold of this.axis.folds) {
      const from = this.x(fold.from), to = this.x(fold.to);
      if (to < this.gutter || from > this.width) continue;
      const text = '⋯ ' + duration(fold.to - fold.from);
      const width = context.measureText(text).width;
      if (to - from > width + 8) {
        context.fillStyle = colours.raised;
        context.fillRect(from, 0, to - from, RULER);
        context.fillStyle = colours.faint;
        context.fillText(text, (from + to - width) / 2, RULER / 2);
      } else {
        context.fillStyle = colours.raised;
        context.fillRect(from, RULER - 6, Math.max(2, to - from), 6);
      }
    }
    context.restore();
  }

  drawActions() {
    const { context, colours, recording } = this, middle = RULER + ACTIONS / 2;
    context.fillStyle = colours.text;
    context.font = '600 12px system-ui, sans-serif';
    context.fillText('actions', 10, middle);
    context.font = '12px system-ui, sans-serif';
    context.fillStyle = colours.faint;
    context.fillText(String(recording.actions), 64, middle);
    this.clipRight();
    const from = this.timeOf(this.gutter), to = this.timeOf(this.width);
    let row = Math.max(0, this.nearestRow(from) - 1);
    while (row < recording.rows) {
      const time = recording.time.get(row);
      if (time > to) break;
      const x = Math.round(this.x(time));
      let next = row + 1;
      const until = this.timeOf(x + 1);
      let marked = recording.kind.get(row);
      // A pixel that holds many is drawn once, higher for more; the search skips what lies within it.
      let high = Math.min(recording.rows, row + 4);
      while (next < high && recording.time.get(next) < until) { marked = Math.max(marked, recording.kind.get(next)); next++; }
      if (next === high && high < recording.rows && recording.time.get(next) < until) next = Math.max(next, this.firstRowFrom(until, next));
      const count = next - row;
      const height = Math.min(ACTIONS - 8, 10 + 3 * Math.log2(count));
      context.fillStyle = marked === ROW.action ? colours.text : marked >= ROW.gap ? colours.withdrawn : colours.failed;
      context.globalAlpha = count > 1 ? 1 : 0.75;
      context.fillRect(x, middle - height / 2, count > 1 ? 2 : 1.5, height);
      context.globalAlpha = 1;
      if (marked === ROW.fenced || marked === ROW.refused) this.cross(x + 1, middle, 4, colours.failed);
      if (marked === ROW.gap) this.hatch(x - 5, RULER, 10, this.height - RULER, colours.withdrawn);
      row = next;
    }
    context.restore();
    context.strokeStyle = colours.line;
    context.strokeRect(-1, RULER + ACTIONS - 0.5, this.width + 2, 0);
  }
  firstRowFrom(time, low) {
    let high = this.recording.rows;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.recording.time.get(middle) < time) low = middle + 1; else high = middle;
    }
    return low;
  }

  drawGroup(group) {
    const top = group.top - this.container.scrollTop;
    if (top + group.height + SPACE < RULER + ACTIONS || top > this.height) return;
    const { context, colours } = this;
    context.fillStyle = colours.line;
    context.globalAlpha = 0.5;
    context.fillRect(0, Math.round(top + group.height + SPACE / 2), this.width, 1);
    context.globalAlpha = 1;
    context.fillStyle = colours.text;
    const first = Math.min(Math.max(top, RULER + ACTIONS), top + group.height - LANE);
    const count = ' ' + group.runs.length;
    const head = (group.isOpen ? '▾ ' : '▸ ') + group.name;
    context.font = '600 12px system-ui, sans-serif';
    const room = this.gutter - 24 - context.measureText(count).width;
    const text = fitted(context, head, room);
    context.fillText(text, 10, first + LANE / 2);
    const end = 14 + context.measureText(text).width;
    context.font = '12px system-ui, sans-serif';
    context.fillStyle = colours.faint;
    context.fillText(count, end, first + LANE / 2);
    this.clipRight();
    if (group.isOpen) {
      group.lanes.forEach((lane, index) => {
        const y = top + index * LANE;
        if (y + LANE > RULER + ACTIONS && y < this.height) this.drawLane(lane, y);
      });
    } else this.drawStrip(group, top);
    context.restore();
  }

  // How many runs are in progress, where a group has too many lanes.
  drawStrip(group, top) {
    const { context, colours } = this;
    if (!group.counts) {
      group.counts = {
        starts: Float64Array.from(group.runs, run => run.time).sort(),
        ends: Float64Array.from(group.runs, run => run.over >= 0 ? run.over : Infinity).sort(),
      };
    }
    const upTo = (list, time) => {
      let low = 0, high = list.length;
      while (low < high) { const middle = (low + high) >> 1; if (list[middle] <= time) low = middle + 1; else high = middle; }
      return low;
    };
    context.fillStyle = colours.finished;
    const most = group.lanes.length;
    for (let x = Math.floor(this.gutter); x < this.width; x += 2) {
      const count = upTo(group.counts.starts, this.timeOf(x + 2)) - upTo(group.counts.ends, this.timeOf(x));
      if (count > 0) {
        const height = Math.max(1, count / most * (STRIP - 4));
        context.fillRect(x, top + STRIP - 2 - height, 2, height);
      }
    }
    const text = 'at most ' + most + ' at a time; click the name for lanes';
    context.fillStyle = colours.ground;
    context.globalAlpha = 0.8;
    context.fillRect(this.gutter + 4, top + 1, context.measureText(text).width + 8, 16);
    context.globalAlpha = 1;
    context.fillStyle = colours.faint;
    context.fillText(text, this.gutter + 8, top + 9);
  }

  drawLane(lane, y) {
    const until = this.timeOf(this.width);
    let index = Math.max(0, this.before(lane, this.timeOf(this.gutter)));
    while (index < lane.length && lane[index].time <= until) {
      const run = lane[index];
      const right = this.drawRun(run, y);
      // The next run that begins behind this pixel.
      let next = index + 1;
      if (next < lane.length && this.x(lane[next].time) < right) {
        next = Math.max(next, this.before(lane, this.timeOf(right)) + 1);
      }
      index = next;
    }
  }

  // - Returns: where the next one may be drawn.
  drawRun(run, y) {
    const { context, colours } = this;
    const begin = this.x(run.time), over = this.x(this.endOf(run));
    const stopped = run.end >= 0 ? this.x(run.end) : over;
    const left = Math.max(begin, this.gutter - 20), right = Math.min(Math.max(over, begin + 2), this.width + 20);
    const top = y + 3, height = LANE - 6;
    context.fillStyle = context.strokeStyle = colours[run.ending];
    if (right - left < 5) {
      context.fillRect(left, top, Math.max(1.5, right - left), height);
      return Math.max(left + 1, right);
    }
    const edge = Math.min(Math.max(stopped, begin + 3), this.width + 20);
    this.shape(run, left, top, edge, height);
    if (right > edge + 1) {
      // Stopped or answered; its body goes on.
      context.setLineDash([3, 2]);
      context.strokeRect(edge + 0.5, top + 2.5, right - edge - 1, height - 5);
      context.setLineDash([]);
    }
    for (const wait of run.waits) {
      const from = Math.max(left, this.x(wait.begin));
      const to = Math.min(right, this.x(wait.end < 0 ? this.endOf(run) : wait.end));
      if (to - from > 2) this.hatch(from, top, to - from, height, colours.hatch);
    }
    if (edge - left > 50) {
      const text = fitted(context, run.request, edge - left - 18);
      if (text.length > 4) {
        context.fillStyle = run.ending === 'running' ? colours.text : colours.ground;
        if (run.waits.length) {
          context.fillStyle = colours.ground;
          context.globalAlpha = 0.85;
          context.fillRect(left + 5, top + 1, context.measureText(text).width + 4, height - 2);
          context.globalAlpha = 1;
          context.fillStyle = colours.text;
        }
        context.fillText(text, left + 7, top + height / 2 + 0.5);
      }
    }
    if (run.fenced) this.cross(right - 5, y + LANE / 2, 4, colours.failed);
    return right;
  }

  // Each ending has a shape of its own.
  shape(run, left, top, right, height) {
    const { context } = this, point = Math.min(6, right - left);
    context.beginPath();
    switch (run.ending) {
      case 'answered':
        context.moveTo(left, top);
        context.lineTo(right - point, top);
        context.lineTo(right, top + height / 2);
        context.lineTo(right - point, top + height);
        context.lineTo(left, top + height);
        break;
      case 'withdrawn':
        context.moveTo(left, top);
        context.lineTo(right, top);
        context.lineTo(right - point, top + height);
        context.lineTo(left, top + height);
        break;
      case 'disconnected':
        context.moveTo(left, top);
        context.lineTo(right, top);
        context.lineTo(right - point, top + height / 2);
        context.lineTo(right, top + height);
        context.lineTo(left, top + height);
        break;
      case 'running':
        context.globalAlpha = 0.35;
        context.fillRect(left, top, right - left, height);
        context.globalAlpha = 1;
        context.moveTo(right, top + 0.5);
        context.lineTo(left + 0.5, top + 0.5);
        context.lineTo(left + 0.5, top + height - 0.5);
        context.lineTo(right, top + height - 0.5);
        context.stroke();
        return;
      default:
        context.roundRect(left, top, right - left, height, [0, 5, 5, 0]);
    }
    context.fill();
    if (run.ending === 'failed') this.cross(right - 7, top + height / 2, 3, this.colours.ground);
  }

  cross(x, y, size, colour) {
    const { context } = this;
    context.strokeStyle = colour;
    context.lineWidth = 1.6;
    context.beginPath();
    context.moveTo(x - size, y - size);
    context.lineTo(x + size, y + size);
    context.moveTo(x + size, y - size);
    context.lineTo(x - size, y + size);
    context.stroke();
    context.lineWidth = 1;
  }

  hatch(x, y, width, height, colour) {
    const { context } = this;
    context.save();
    context.beginPath();
    context.rect(x, y, width, height);
    context.clip();
    context.strokeStyle = colour;
    context.lineWidth = 1.5;
    context.beginPath();
    const first = Math.floor((x - height) / 5) * 5;
    for (let at = first; at < x + width; at += 5) {
      context.moveTo(at, y + height);
      context.lineTo(at + height, y);
    }
    context.stroke();
    context.restore();
  }

  // The chain of causes of the selection, and what it started and sent.
  drawCauses() {
    if (!this.selected) return;
    const { recording } = this, links = recording.causes(this.selected.row, this.selected.run);
    this.clipRight();
    for (let i = Math.min(links.length - 1, 60); i > 0; i--) this.arrow(links[i], links[i - 1], 1.6);
    const next = this.selected.run ? recording.sent(this.selected.run, 40).map(row => ({ row }))
      : recording.started(this.selected.row).slice(0, 40).map(run => ({ run }));
    for (const link of next) this.arrow(this.selected, link, 1);
    for (const link of links) if (link.run) this.outline(link.run, 1);
    this.context.restore();
  }

  // From an action down to the run that it started, or from a run up to an action that it sent. Both are at nearly one time.
  arrow(from, to, width) {
    const { context, recording } = this, floor = RULER + ACTIONS;
    const run = to.run || from.run, row = from.run ? to.row : from.row;
    if (!run || row === undefined) return;
    const x = this.x(recording.time.get(row)), laneX = from.run ? x : this.x(run.time);
    const lane = Math.min(this.height + 20, Math.max(floor, this.laneTop(run) + (run.group.isOpen ? 3 : STRIP / 2)));
    context.strokeStyle = context.fillStyle = this.colours.accent;
    context.lineWidth = width;
    context.globalAlpha = 0.85;
    context.beginPath();
    context.moveTo(x, floor - 6);
    if (Math.abs(laneX - x) < 8) context.lineTo(laneX, lane);
    else context.bezierCurveTo(x, floor + 20, laneX, lane - 24, laneX, lane);
    context.stroke();
    const [headX, headY, way] = from.run ? [x, floor - 7, -1] : [laneX, lane, 1];
    context.beginPath();
    context.moveTo(headX, headY + way);
    context.lineTo(headX - 3.5, headY - 7 * way);
    context.lineTo(headX + 3.5, headY - 7 * way);
    context.fill();
    context.globalAlpha = 1;
    context.lineWidth = 1;
  }

  outline(run, width) {
    const { context } = this, y = this.laneTop(run);
    if (y < RULER + ACTIONS - 4) return;
    const left = Math.max(this.x(run.time), this.gutter - 10);
    const right = Math.min(Math.max(this.x(this.endOf(run)), left + 4), this.width + 10);
    context.strokeStyle = this.colours.accent;
    context.lineWidth = width;
    context.strokeRect(left - 2, y + 1, right - left + 4, (run.group.isOpen ? LANE : STRIP) - 2);
    context.lineWidth = 1;
  }

  drawSelection() {
    const { context, colours } = this;
    this.clipRight();
    if (this.selected) {
      const { run, row } = this.selected;
      if (run) this.outline(run, 2);
      else {
        const x = Math.round(this.x(this.recording.time.get(row))) + 0.5;
        context.strokeStyle = colours.accent;
        context.beginPath();
        context.moveTo(x, RULER);
        context.lineTo(x, this.height);
        context.stroke();
        context.fillStyle = colours.accent;
        context.beginPath();
        context.moveTo(x - 5, RULER);
        context.lineTo(x + 5, RULER);
        context.lineTo(x, RULER + 7);
        context.fill();
      }
    }
    if (this.drag && this.drag.isRange && this.drag.isMoved) {
      context.fillStyle = colours.accent;
      context.globalAlpha = 0.18;
      context.fillRect(this.drag.x, 0, this.drag.to - this.drag.x, this.height);
      context.globalAlpha = 1;
    }
    context.restore();
  }
}

function fitted(context, text, room) {
  if (context.measureText(text).width <= room) return text;
  // Of an address, the end tells most.
  const isAddress = /^\S{0,8} ?\S*:\/\/\S*$/.test(text);
  const word = isAddress && text.includes(' ') ? text.slice(0, text.indexOf(' ') + 1) : '';
  const made = count => isAddress ? word + '…' + text.slice(text.length - count) : text.slice(0, count) + '…';
  let low = 0, high = Math.min(text.length - word.length, Math.ceil(room / 3));
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (context.measureText(made(middle)).width <= room) low = middle; else high = middle - 1;
  }
  return low > 0 ? made(low) : '';
}

function tickText(time, step) {
  if (step < 1000 && time < 1e6) return '+' + (time / 1000).toFixed(step < 100 ? 3 : 1) + ' ms';
  if (step < 1000 && time < 6e7) return '+' + (time / 1e6).toFixed(6) + ' s';
  return step < 1e6 ? moment(time) : moment(time).replace(/\.\d+/, '');
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

function rowTitle(recording, row) {
  const label = recording.label(row);
  switch (recording.kind.get(row)) {
    case ROW.action: return recording.sequence.get(row) + ' ' + label;
    case ROW.fenced: return 'fenced ' + label;
    case ROW.refused: return 'refused ' + label;
    default: return label;
  }
}
