// The list of actions, drawn by a fixed number of elements for any number of actions.

const LINE = 24;

class List {
  constructor(recording, box, select) {
    Object.assign(this, { recording, box, select });
    this.inner = box.querySelector('.inner');
    this.pool = [];
    // The rows that are shown; null for all.
    this.shown = null;
    this.filter = '';
    this.selected = -1;
    this.search = 0;
    // Kept, since reading them while rows are written would force a new layout.
    this.top = 0;
    this.height = box.clientHeight;
    box.addEventListener('scroll', () => {
      const top = box.scrollTop;
      if (top !== this.top) { this.top = top; this.draw(); }
    });
    new ResizeObserver(() => { this.height = box.clientHeight; this.reveal(this.selected); }).observe(box);
    this.inner.addEventListener('click', event => {
      const line = event.target.closest('.row');
      // Selecting text is not a click.
      if (line && String(getSelection()) === '') this.select(Number(line.dataset.row));
    });
  }

  get isAtEnd() { return this.top + this.height > (this.count - 1) * LINE; }
  get count() { return this.shown ? this.shown.length : this.recording.rows; }
  rowAt(index) { return this.shown ? this.shown[index] : index; }
  indexOf(row) {
    if (!this.shown) return row;
    let low = 0, high = this.shown.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.shown[middle] < row) low = middle + 1; else high = middle;
    }
    return low;
  }
  isShown(row) { return !this.shown || this.shown[this.indexOf(row)] === row; }

  // The row a number of lines further, within the list.
  next(row, by) {
    if (!this.count) return -1;
    let index = this.indexOf(row);
    if (by > 0 && this.shown && this.shown[index] !== row) index--;
    return this.rowAt(Math.max(0, Math.min(this.count - 1, index + by)));
  }

  // Shows the rows that contain a text. Searches in pieces, so that the page stays responsive.
  async setFilter(text, told) {
    const search = ++this.search;
    this.filtered = null;
    this.filter = text.trim().toLowerCase();
    if (!this.filter) {
      this.shown = null;
      this.draw();
      told(true);
      return;
    }
    const found = [];
    let row = 0, from = 0;
    while (row < this.recording.rows) {
      const until = performance.now() + 12;
      while (row < this.recording.rows && performance.now() < until) {
        for (const end = Math.min(this.recording.rows, row + 500); row < end; row++) if (this.matches(row)) found.push(row);
      }
      if (search !== this.search) return;
      this.shown = found;
      from = row;
      told(false);
      this.draw();
      if (row < this.recording.rows) await new Promise(resolve => setTimeout(resolve));
      if (search !== this.search) return;
    }
    this.shown = found;
    this.filtered = from;
    told(true);
    this.draw();
  }
  matches(row) {
    if (this.recording.label(row).toLowerCase().includes(this.filter)) return true;
    const run = this.recording.run.get(row);
    if (run >= 0 && (this.recording.runs[run].effect + ' #' + this.recording.runs[run].generation).toLowerCase().includes(this.filter)) return true;
    return this.recording.rowText(row).toLowerCase().includes(this.filter);
  }

  // Adds the new rows.
  grow(draws = true) {
    // A search in progress continues to the last row by itself.
    if (this.shown && this.filtered !== null) {
      for (let row = this.filtered; row < this.recording.rows; row++) if (this.matches(row)) this.shown.push(row);
      this.filtered = this.recording.rows;
    }
    if (draws) this.draw();
  }

  reveal(row) {
    this.selected = row;
    const top = this.indexOf(row) * LINE;
    if (row >= 0 && this.isShown(row)) {
      if (top < this.top) this.scroll(top);
      else if (top + LINE > this.top + this.height) this.scroll(top + LINE - this.height);
    }
    this.draw();
  }

  scroll(top) {
    this.inner.style.height = this.count * LINE + 'px';
    this.box.scrollTop = top;
    this.top = this.box.scrollTop;
  }

  get page() { return Math.max(1, Math.floor(this.height / LINE) - 1); }

  draw() {
    const count = this.count;
    this.inner.style.height = count * LINE + 'px';
    this.top = Math.max(0, Math.min(this.top, count * LINE - this.height));
    const first = Math.max(0, Math.floor(this.top / LINE) - 4);
    const need = Math.min(count, Math.ceil(this.height / LINE) + 9);
    while (this.pool.length < need) this.pool.push(this.makeRow());
    this.pool.forEach((line, place) => {
      // A row keeps its element while it is in view, so that a selection of its text stays.
      const index = first + ((place - first) % this.pool.length + this.pool.length) % this.pool.length;
      if (index >= count || index >= first + need) { line.hidden = true; return; }
      this.fill(line, index);
    });
    const selected = this.selected >= 0 && this.isShown(this.selected) ? 'row-' + this.selected : '';
    if (selected && document.getElementById(selected)) this.box.setAttribute('aria-activedescendant', selected);
    else this.box.removeAttribute('aria-activedescendant');
  }

  makeRow() {
    const line = document.createElement('div');
    line.className = 'row';
    line.setAttribute('role', 'option');
    for (const name of ['number', 'time', 'label', 'from']) {
      const cell = document.createElement('span');
      cell.className = name;
      line.append(cell);
    }
    // The value shrinks before the case name.
    for (const name of ['name', 'brief']) line.querySelector('.label').append(element('span', name));
    this.inner.append(line);
    return line;
  }

  fill(line, index) {
    const { recording } = this, row = this.rowAt(index);
    line.hidden = false;
    line.style.top = index * LINE + 'px';
    const isSelected = row === this.selected;
    if (line.dataset.row === String(row) && line.dataset.count === String(this.count)) {
      line.setAttribute('aria-selected', isSelected);
      return;
    }
    const kind = recording.kind.get(row), run = recording.run.get(row);
    line.id = 'row-' + row;
    line.dataset.row = row;
    line.dataset.count = this.count;
    line.dataset.kind = Object.keys(ROW)[kind];
    line.setAttribute('aria-selected', isSelected);
    line.setAttribute('aria-setsize', this.count);
    line.setAttribute('aria-posinset', index + 1);
    const [number, time, label, from] = line.children;
    number.textContent = kind === ROW.action ? recording.sequence.get(row) : kind === ROW.gap ? '⋯' : kind === ROW.note ? '✎' : '✕';
    time.textContent = moment(recording.time.get(row));
    label.firstChild.textContent = (kind === ROW.fenced ? 'fenced ' : kind === ROW.refused ? 'refused ' : '') + recording.label(row);
    label.lastChild.textContent = recording.brief(row);
    from.textContent = run >= 0 ? recording.runs[run].effect + ' #' + recording.runs[run].generation : kind > ROW.refused ? '' : 'outside';
  }
}
