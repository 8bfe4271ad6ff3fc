// The recording. Actions are kept in columns, without an object for each; a run is an object.

class Column {
  constructor(type) { this.array = new type(1024); this.length = 0; }
  push(value) {
    if (this.length === this.array.length) {
      const larger = new this.array.constructor(this.length * 2);
      larger.set(this.array);
      this.array = larger;
    }
    this.array[this.length++] = value;
  }
  get(index) { return this.array[index]; }
  set(index, value) { this.array[index] = value; }
}

class Strings {
  constructor() { this.texts = []; this.indices = new Map(); }
  index(text) {
    let index = this.indices.get(text);
    if (index === undefined) {
      index = this.texts.length;
      this.texts.push(text);
      this.indices.set(text, index);
    }
    return index;
  }
}

const ROW = { action: 0, fenced: 1, refused: 2, gap: 3, note: 4 };

class Recording {
  constructor() {
    this.header = {};
    this.chunks = [];
    this.strings = new Strings();
    // The rows of the list: actions, turned-away actions, gaps and notes, in the order of the file.
    this.kind = new Column(Uint8Array);
    this.time = new Column(Float64Array);
    this.sequence = new Column(Float64Array);
    this.name = new Column(Int32Array);
    this.site = new Column(Int32Array);
    this.run = new Column(Int32Array);
    this.nextOfRun = new Column(Int32Array);
    this.firstStarted = new Column(Int32Array);
    this.firstEnded = new Column(Int32Array);
    this.chunk = new Column(Int32Array);
    this.start = new Column(Int32Array);
    this.stop = new Column(Int32Array);
    this.rowOfSequence = new Map();
    // By row, the runs that were handed another value of their request.
    this.handed = new Map();
    this.runs = [];
    this.runOfGeneration = new Map();
    this.connections = new Map();
    this.snapshots = [];
    this.gaps = 0;
    this.lost = 0;
    // The largest number of actions between two snapshots.
    this.farthest = 0;
    this.actions = 0;
    this.turnedAway = 0;
    this.end = 0;
    this.isFinished = false;
    this.waits = new Map();
    this.lastRow = -1;
    this.lastSequence = 0;
  }

  get rows() { return this.kind.length; }

  // Reads complete lines.
  add(text) {
    const chunk = this.chunks.length;
    this.chunks.push(text);
    let start = 0;
    while (start < text.length) {
      let stop = text.indexOf('\n', start);
      if (stop < 0) stop = text.length;
      if (stop > start) {
        let line = null;
        try { line = JSON.parse(text.slice(start, stop)); } catch { line = null; }
        if (line !== null && typeof line === 'object') this.handle(line, chunk, start, stop);
      }
      start = stop + 1;
    }
  }

  handle(line, chunk, start, stop) {
    if (typeof line.t === 'number' && line.t > this.end) { this.end = line.t; isShort = this.end < 1e6; }
    switch (Object.keys(line)[0]) {
      case 'millrace-trace': if (!this.header.program) this.header = line; break;
      case 'a': this.metAction(line, chunk, start, stop); break;
      case 'r': this.metRun(line, chunk, start, stop); break;
      case 'f':
        this.turnedAway++;
        this.row(line.f === 'fenced' ? ROW.fenced : ROW.refused, line, this.kindOf(line), chunk, start, stop);
        break;
      case 'c': {
        const known = this.connections.get(line.c) || { number: line.c, name: String(line.n), site: String(line.at) };
        known.isConnected = line.on;
        this.connections.set(line.c, known);
        break;
      }
      case 'w': this.metWait(line); break;
      case 's': this.metSnapshot(line, chunk, start, stop); break;
      case 'g':
        this.gaps++;
        this.lost += line.g;
        this.row(ROW.gap, line, line.g + ' events are missing here', chunk, start, stop);
        break;
      case 'n':
        this.row(ROW.note, line, String(line.n) + ': ' + String(line.x) + (line.n === 'text only'
          ? ' is not Encodable: its values are recorded as text, and cannot be replayed' : ''), chunk, start, stop);
        break;
      case 'end': this.isFinished = true; break;
    }
  }

  // The case of an action, such as .search(.arrived). For an action that is no enum, the whole payload.
  kindOf(line) {
    if (typeof line.k === 'string') return line.k;
    if (!('p' in line)) return String(line.x);
    let name = '', depth = 0, value = line.p;
    while (value !== null && typeof value === 'object' && !Array.isArray(value)) {
      const keys = Object.keys(value);
      if (keys.length !== 1) break;
      const inner = value[keys[0]];
      if (inner === null || typeof inner !== 'object' || Array.isArray(inner)) break;
      name += (depth ? '(' : '') + '.' + keys[0];
      depth++;
      const innerKeys = Object.keys(inner);
      if (innerKeys.length !== 1 || innerKeys[0] !== '_0') break;
      value = inner._0;
    }
    return depth ? name + ')'.repeat(depth - 1) : JSON.stringify(line.p);
  }

  row(kind, line, name, chunk, start, stop) {
    const row = this.rows;
    this.kind.push(kind);
    // Made ascending, for binary search.
    this.time.push(Math.max(line.t || 0, row ? this.time.get(row - 1) : 0));
    this.sequence.push(kind === ROW.action ? line.a : -1);
    this.name.push(this.strings.index(name.length > 300 ? name.slice(0, 300) + '…' : name));
    this.site.push(this.strings.index(typeof line.at === 'string' ? line.at : ''));
    let run = -1;
    if (typeof line.run === 'number') {
      const found = this.runOfGeneration.get(line.run);
      if (found) run = found.index;
    }
    this.run.push(run);
    this.nextOfRun.push(-1);
    this.firstStarted.push(-1);
    this.firstEnded.push(-1);
    this.chunk.push(chunk);
    this.start.push(start);
    this.stop.push(stop);
    if (run >= 0) {
      const one = this.runs[run];
      if (one.lastRow >= 0) this.nextOfRun.set(one.lastRow, row); else one.firstRow = row;
      one.lastRow = row;
    }
    return row;
  }

  metAction(line, chunk, start, stop) {
    this.actions++;
    const row = this.row(ROW.action, line, this.kindOf(line), chunk, start, stop);
    this.rowOfSequence.set(line.a, row);
    this.lastRow = row;
    this.lastSequence = line.a;
  }

  // `exact` is the same line, parsed with exact numbers.
  begin(generation, line, time, exact) {
    const run = {
      index: this.runs.length, generation, effect: visible(String(line.n)), connection: line.c, by: line.by,
      values: [this.value(line, exact, line.handed === undefined ? line.by : line.handed, time)],
      time: typeof time === 'number' ? time : 0, isEarlier: typeof time !== 'number', end: -1, ending: 'running', endedBy: -1,
      error: '', over: -1, reduced: 0, fenced: 0, waits: [], firstRow: -1, lastRow: -1, nextStarted: -1,
      nextEnded: -1, since: this.lastRow, until: -1, lane: 0, group: null,
    };
    this.runs.push(run);
    this.runOfGeneration.set(generation, run);
    const row = this.rowOfSequence.get(line.by);
    if (row !== undefined) { run.nextStarted = this.firstStarted.get(row); this.firstStarted.set(row, run.index); }
  }

  // Makes a value of a run's request, with the action that asked for it and the last row before.
  value(line, exact, by, time) {
    return { request: this.request(exact), by, time, row: this.lastRow, isHanded: line.e === 'hand' || line.handed !== undefined };
  }
  handOver(run, value) {
    run.values.push(value);
    if (!this.handed.has(value.row)) this.handed.set(value.row, []);
    this.handed.get(value.row).push({ run, value });
  }
  // The value of a run after a row; without a row, the newest.
  valueAt(run, row = Infinity) {
    let index = run.values.length - 1;
    while (index > 0 && run.values[index].row > row) index--;
    return run.values[index];
  }

  request(line) {
    return line.has('p') ? briefText(line.get('p'), 300) : visible(String(line.get('x')).slice(0, 300));
  }

  metRun(line, chunk, start, stop) {
    const exact = () => parseJSON(this.chunks[chunk].slice(start, stop));
    if (line.e === 'start') { this.begin(line.r, line, line.t, exact()); return; }
    const run = this.runOfGeneration.get(line.r);
    if (!run) return;
    switch (line.e) {
      case 'hand':
        this.handOver(run, this.value(line, exact(), this.lastSequence, line.t));
        return;
      case 'return': run.over = line.t; run.fenced = line.fenced || 0; return;
      case 'finish': run.ending = 'finished'; break;
      case 'answer': run.ending = 'answered'; break;
      case 'withdraw': run.ending = 'withdrawn'; break;
      case 'disconnect': run.ending = 'disconnected'; break;
      case 'fail': run.ending = 'failed'; run.error = String(line.x); break;
      default: return;
    }
    run.end = line.t;
    run.until = this.lastRow;
    if (run.ending === 'finished' || run.ending === 'failed') run.over = line.t;
    if (typeof line.reduced === 'number') run.reduced = line.reduced;
    if (typeof line.by === 'number') {
      run.endedBy = line.by;
      const row = this.rowOfSequence.get(line.by);
      if (row !== undefined) { run.nextEnded = this.firstEnded.get(row); this.firstEnded.set(row, run.index); }
    }
  }

  metWait(line) {
    if (typeof line.x === 'string') {
      const run = this.runOfGeneration.get(line.w);
      if (!run) return;
      const wait = { reason: visible(line.x), begin: line.t, end: -1 };
      run.waits.push(wait);
      this.waits.set(line.i, wait);
    } else {
      const wait = this.waits.get(line.i);
      if (wait) { wait.end = line.t; this.waits.delete(line.i); }
    }
  }

  metSnapshot(line, chunk, start, stop) {
    if (this.lastSnapshot !== undefined) this.farthest = Math.max(this.farthest, line.s - this.lastSnapshot);
    this.lastSnapshot = this.lastSequence = line.s;
    if (Array.isArray(line.live)) {
      let exact = null;
      line.live.forEach((live, index) => {
        const known = this.runOfGeneration.get(live.r);
        if (known && live.handed === undefined) return;
        exact = exact || parseJSON(this.chunks[chunk].slice(start, stop)).get('live');
        if (!known) { this.begin(live.r, live, live.t, exact[index]); return; }
        const value = this.value(live, exact[index], live.handed, line.t);
        if (value.request !== this.valueAt(known).request) this.handOver(known, value);
      });
    }
    if (Array.isArray(line.connected)) {
      for (const one of line.connected) {
        this.connections.set(one.c, { number: one.c, name: String(one.n), site: String(one.at), isConnected: true });
      }
    }
    if ('p' in line || line.x) this.snapshots.push({ sequence: line.s, chunk, start, stop });
  }

  // MARK: Looking up

  rowText(row) { return this.chunks[this.chunk.get(row)].slice(this.start.get(row), this.stop.get(row)); }

  payload(row) {
    const line = parseJSON(this.rowText(row));
    return line.has('p') ? line.get('p') : line.has('x') ? parseSpelled(line.get('x')) : null;
  }

  // The associated values of an action in a few words, without values whose text is long.
  brief(row) {
    if (this.kind.get(row) > ROW.refused || this.stop.get(row) - this.start.get(row) > 20000) return '';
    const value = this.payload(row);
    let held = value;
    while (isCase(held)) {
      held = held.values().next().value;
      if (held.size === 1 && held.has('_0')) held = held.get('_0');
    }
    if (held === value || held === null || held.size === 0) return '';
    const text = briefText(held, 80);
    return visible(held instanceof Map && !held.typeName ? text.replace(/^\{|\}$/g, '') : text);
  }

  state(snapshot) {
    const line = parseJSON(this.chunks[snapshot.chunk].slice(snapshot.start, snapshot.stop));
    return line.has('p') ? line.get('p') : parseSpelled(line.get('x'));
  }

  // The index of the last snapshot at or before an action.
  snapshotIndex(sequence) {
    let low = 0, high = this.snapshots.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.snapshots[middle].sequence <= sequence) low = middle + 1; else high = middle;
    }
    return low - 1;
  }

  label(row) { return visible(this.strings.texts[this.name.get(row)]); }

  started(row) { return this.chain(this.firstStarted.get(row), 'nextStarted'); }
  ended(row) { return this.chain(this.firstEnded.get(row), 'nextEnded'); }
  chain(first, next) {
    const found = [];
    for (let index = first; index >= 0; index = this.runs[index][next]) found.push(this.runs[index]);
    return found.reverse();
  }

  sent(run, limit) {
    const rows = [];
    for (let row = run.firstRow; row >= 0 && rows.length < limit; row = this.nextOfRun.get(row)) rows.push(row);
    return rows;
  }

  inProgress(row) {
    return this.runs.filter(run => run.since <= row && (run.ending === 'running' || run.until > row));
  }

  // The actions and runs that led to a row or a run, newest first.
  causes(row, run) {
    const links = [];
    let at = run ? { run, value: this.valueAt(run) } : { row };
    while (at && links.length < 200) {
      links.push(at);
      if (at.run) {
        const before = this.rowOfSequence.get(at.value.by);
        at = before === undefined ? null : { row: before };
      } else {
        const run = this.runs[this.run.get(at.row)];
        at = run ? { run, value: this.valueAt(run, at.row - 1) } : null;
      }
    }
    return links;
  }
}

// Times are in microseconds.
function duration(us) {
  if (us < 1000) return Math.round(us) + ' µs';
  if (us < 1e6) return (us / 1000).toFixed(us < 1e5 ? 1 : 0) + ' ms';
  if (us < 6e7) return (us / 1e6).toFixed(us < 1e7 ? 2 : 1) + ' s';
  if (us < 3.6e9) return Math.floor(us / 6e7) + ' min ' + Math.round(us % 6e7 / 1e6) + ' s';
  return Math.floor(us / 3.6e9) + ' h ' + Math.round(us % 3.6e9 / 6e7) + ' min';
}
// Whether the recording is shorter than a second: moments are then in milliseconds.
let isShort = false;
function moment(us) {
  if (isShort) return '+' + (us / 1000).toFixed(3) + ' ms';
  if (us < 6e7) return '+' + (us / 1e6).toFixed(3) + ' s';
  const minutes = Math.floor(us / 6e7);
  const rest = (us % 6e7 / 1e6).toFixed(3).padStart(6, '0');
  return minutes < 60 ? '+' + minutes + ':' + rest
    : '+' + Math.floor(minutes / 60) + ':' + String(minutes % 60).padStart(2, '0') + ':' + rest;
}
