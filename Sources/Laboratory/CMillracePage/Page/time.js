// The axis of time, with long idle times folded.

class TimeAxis {
  constructor() { this.times = [0]; this.places = [0]; this.folds = []; this.isFolded = true; }

  // Computes the axis of a recording.
  measure(recording) {
    const events = [0];
    for (let row = 0; row < recording.rows; row++) events.push(recording.time.get(row));
    for (const run of recording.runs) {
      events.push(run.time);
      if (run.end >= 0) events.push(run.end);
      if (run.over >= 0) events.push(run.over);
    }
    events.push(Math.max(recording.end, 1));
    const sorted = Float64Array.from(events).sort();
    const gaps = new Float64Array(sorted.length - 1);
    for (let i = 0; i < gaps.length; i++) gaps[i] = sorted[i + 1] - sorted[i];
    const ranked = Float64Array.from(gaps).sort().reverse();
    const total = sorted[sorted.length - 1];
    const usual = ranked[Math.min(40, Math.floor(ranked.length / 10))] || 0;
    const longest = Math.max(total / 2000, usual * 2);
    this.times = [0];
    this.places = [0];
    this.folds = [];
    let removed = 0;
    if (this.isFolded) {
      for (let i = 0; i < gaps.length; i++) {
        if (gaps[i] <= longest * 1.5) continue;
        this.times.push(sorted[i], sorted[i + 1]);
        this.places.push(sorted[i] - removed, sorted[i] - removed + longest);
        this.folds.push({ from: sorted[i], to: sorted[i + 1] });
        removed += gaps[i] - longest;
      }
    }
    this.times.push(total);
    this.places.push(total - removed);
    this.length = total - removed;
  }

  // Extends the axis for a longer recording.
  extend(recording) {
    const total = Math.max(recording.end, 1), last = this.times.length - 1;
    this.places[last] += total - this.times[last];
    this.times[last] = total;
    this.length = this.places[last];
  }

  static between(value, from, to) {
    let low = 0, high = from.length - 1;
    while (low + 1 < high) {
      const middle = (low + high) >> 1;
      if (from[middle] <= value) low = middle; else high = middle;
    }
    const width = from[high] - from[low];
    return width > 0 ? to[low] + (value - from[low]) / width * (to[high] - to[low]) : to[low];
  }
  place(time) { return TimeAxis.between(time, this.times, this.places); }
  timeAt(place) { return TimeAxis.between(place, this.places, this.times); }
}
