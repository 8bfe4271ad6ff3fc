// Draws the lanes: only the visible range, and each pixel only once.

const RULER = 24, ACTIONS = 26, LANE = 18, SPACE = 8, STRIP = 34, MANY = 12;

class LaneDrawing {
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
      // Continues after the end of a fold, which has no ticks.
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
      // Several rows in one pixel are drawn once, higher for more rows; the search skips them.
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

  // Draws the number of runs in progress, for a group with too many lanes.
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
      // The next run that begins after this pixel.
      let next = index + 1;
      if (next < lane.length && this.x(lane[next].time) < right) {
        next = Math.max(next, this.before(lane, this.timeOf(right)) + 1);
      }
      index = next;
    }
  }

  // - Returns: the position from which on the next run may be drawn.
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
      // Stopped or answered, but its body continues.
      context.setLineDash([3, 2]);
      context.strokeRect(edge + 0.5, top + 2.5, right - edge - 1, height - 5);
      context.setLineDash([]);
    }
    for (const wait of run.waits) {
      const from = Math.max(left, this.x(wait.begin));
      const to = Math.min(right, this.x(wait.end < 0 ? this.endOf(run) : wait.end));
      if (to - from > 2) this.hatch(from, top, to - from, height, colours.hatch);
    }
    // Each value has the part of the bar for the time in which the run served it.
    for (let index = 0; index < run.values.length; index++) {
      const from = index ? Math.max(left, this.x(run.values[index].time)) : left;
      const to = index + 1 < run.values.length ? Math.min(edge, this.x(run.values[index + 1].time)) : edge;
      if (to - from <= 50) continue;
      const text = fitted(context, run.values[index].request, to - from - 18);
      if (text.length > 4) {
        context.fillStyle = run.ending === 'running' ? colours.text : colours.ground;
        if (run.waits.length) {
          context.fillStyle = colours.ground;
          context.globalAlpha = 0.85;
          context.fillRect(from + 5, top + 1, context.measureText(text).width + 4, height - 2);
          context.globalAlpha = 1;
          context.fillStyle = colours.text;
        }
        context.fillText(text, from + 7, top + height / 2 + 0.5);
      }
    }
    if (run.fenced) this.cross(right - 5, y + LANE / 2, 4, colours.failed);
    return right;
  }

  // Each ending has its own shape.
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

  // Draws the chain of causes of the selection, and the runs and actions that it caused.
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

  // Draws an arrow from an action down to a run that it started, or from a run up to an action that it sent. Their times are nearly equal.
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
  // The end of an address says most.
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
