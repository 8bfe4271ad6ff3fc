// The page: reading, selecting, keys, links.

const byId = id => document.getElementById(id);
const recording = new Recording();
const options = { onlyChanges: false };
let meta = {};
let selected = null;
let lanes, list, details;

async function inflate(text, isDeflated) {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  if (!isDeflated) return new TextDecoder().decode(bytes);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
  return new TextDecoder().decode(await new Response(stream).arrayBuffer());
}

async function read() {
  meta = JSON.parse(await inflate(byId('meta').textContent.trim(), false));
  const chunks = [...document.querySelectorAll('script.chunk')];
  for (let i = 0; i < chunks.length; i++) {
    recording.add(await inflate(chunks[i].textContent.trim(), chunks[i].dataset.deflated === 'yes'));
    chunks[i].remove();
    byId('progress').textContent = 'Reading ' + Math.round((i + 1) / chunks.length * 100) + ' %';
  }
}

// MARK: Selecting

function linkOf(target) {
  if (!target) return '';
  if (target.run) return '#run' + target.run.generation;
  return recording.kind.get(target.row) === ROW.action ? '#' + recording.sequence.get(target.row) : '#row' + target.row;
}

function targetOf(link) {
  let match = /^#(\d+)$/.exec(link);
  if (match) {
    const row = recording.rowOfSequence.get(Number(match[1]));
    return row === undefined ? null : { row };
  }
  match = /^#run(\d+)$/.exec(link);
  if (match) {
    const run = recording.runOfGeneration.get(Number(match[1]));
    return run ? { run } : null;
  }
  match = /^#row(\d+)$/.exec(link);
  return match && Number(match[1]) < recording.rows ? { row: Number(match[1]) } : null;
}

function select(target, isQuiet) {
  selected = target;
  lanes.reveal(target);
  list.reveal(target ? details.rowOf(target) : -1);
  details.show(target);
  if (!target) return;
  showAddress();
  byId('where').value = target.run ? 'run ' + target.run.generation : recording.kind.get(target.row) === ROW.action ? String(recording.sequence.get(target.row)) : '';
  if (!isQuiet) say(target.run ? target.run.effect + ' #' + target.run.generation + ', ' + describeEnding(target.run) : rowTitle(recording, target.row));
}

// At most ten times a second, since browsers refuse more than 200 changes of the address in ten seconds.
let addressed = -1000, addressing = 0;
function showAddress() {
  const wait = addressed + 100 - performance.now();
  clearTimeout(addressing);
  if (wait > 0) { addressing = setTimeout(showAddress, wait); return; }
  addressed = performance.now();
  const link = linkOf(selected);
  if (!link || location.hash === link) return;
  try { history.replaceState(null, '', link); } catch { /* not allowed for a page from disk, which needs no address */ }
}

function say(text) { byId('said').textContent = text; }

function currentRow() { return selected ? details.rowOf(selected) : -1; }

function step(by) {
  const row = list.next(Math.max(0, currentRow()), selected ? by : 0);
  if (row >= 0) select({ row });
}

function stepRun(by) {
  if (!recording.runs.length) return;
  let index = selected && selected.run ? selected.run.index + by : by > 0 ? 0 : recording.runs.length - 1;
  if (selected && !selected.run) {
    const time = recording.time.get(selected.row);
    index = recording.runs.findIndex(run => run.time >= time);
    if (index < 0) index = recording.runs.length - 1;
  }
  select({ run: recording.runs[Math.max(0, Math.min(recording.runs.length - 1, index))] });
}

function toCause() {
  if (!selected) return;
  const links = recording.causes(selected.row, selected.run);
  if (links.length > 1) select(links[1]); else say('This came from outside.');
}

function go(text) {
  const word = text.trim().replace(/^#/, '');
  const run = /^(?:run|r)\s*#?(\d+)$/i.exec(word);
  const target = run ? targetOf('#run' + run[1]) : targetOf('#' + word);
  if (target) select(target); else say('There is no ' + text + ' in the recording.');
  byId('where').classList.toggle('wrong', !target);
}

// MARK: Parts of the page

function describe() {
  const { header } = recording;
  const name = header.program || 'recording';
  document.title = name + ' – millrace';
  byId('title').textContent = visible(name);
  const facts = [
    visible(header.state || ''), recording.actions + ' actions', recording.runs.length + ' runs',
    recording.turnedAway + ' turned away', duration(recording.end),
  ];
  byId('facts').textContent = facts.filter(Boolean).join('  ·  ');
  byId('facts').title = [
    'process ' + header.pid, header.build ? 'build ' + visible(header.build) : '',
    typeof header.start === 'number' ? 'began ' + new Date(header.start * 1000).toISOString() : '',
    (header.redactions || []).length ? 'without ' + header.redactions.map(visible).join(', ') : '',
  ].filter(Boolean).join('\n');
  const notes = [];
  if (meta.follow && meta.follow.number > 1) notes.push('The program began anew: this is its recording ' + meta.follow.number + ' since the command follows the file.');
  if (meta.torn) notes.push('The last line is incomplete: the program was ended while it was written.');
  if (meta.damage) notes.push('The file is damaged from line ' + meta.damage.line + ' on: it ' + visible(meta.damage.problem) + '.');
  if (meta.leftOut) notes.push(visible(meta.leftOut));
  if (recording.gaps) notes.push(counted(recording.lost, 'event') + ' are missing, in ' + counted(recording.gaps, 'gap') + '.');
  if (recording.farthest > header.every) notes.push('Snapshots are up to ' + recording.farthest + ' actions apart, where every ' + header.every + ' were asked for.');
  if (header.late) notes.push('Actions were reduced before the recording began.');
  if (header.part > 1) notes.push('This is part ' + header.part + ' of a recording.');
  if (!recording.isFinished && !meta.torn && !meta.damage && !meta.follow) notes.push('It was not ended in order: the program was ended, or still ran.');
  byId('notes').replaceChildren(...notes.map(text => element('span', 'chip', text)));
}

function toggleTheme() {
  const root = document.documentElement;
  const isDark = root.dataset.theme ? root.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
  root.dataset.theme = isDark ? 'light' : 'dark';
  lanes.colours = null;
  lanes.redraw();
}

function toggleHelp(isShown) {
  const help = byId('help');
  if (isShown === undefined ? help.open : !isShown) help.close(); else if (!help.open) help.showModal();
}

function toggleChanges() {
  options.onlyChanges = !options.onlyChanges;
  byId('changes').setAttribute('aria-pressed', options.onlyChanges);
  details.show(selected);
}

function toggleFold() {
  lanes.fold(!lanes.axis.isFolded);
  byId('fold').setAttribute('aria-pressed', lanes.axis.isFolded);
}

function showTab(name) {
  for (const tab of ['step', 'state']) {
    byId('tab-' + tab).setAttribute('aria-selected', tab === name);
    byId(tab + '-panel').dataset.shown = tab === name;
  }
}

function filter(text) {
  list.setFilter(text, isDone => {
    byId('found').textContent = list.filter ? list.count + (isDone ? ' found' : ' so far') : '';
    if (isDone && list.filter && list.count && !list.isShown(currentRow())) select({ row: list.rowAt(Math.min(list.count - 1, list.indexOf(currentRow()))) }, true);
    else if (isDone && selected) list.reveal(currentRow());
  });
}

// Selects the next row that contains the text of the filter, in the whole list.
function find(by) {
  if (!list.filter) { byId('filter').focus(); return; }
  step(by);
}

const keys = {
  ArrowDown: () => step(1), ArrowUp: () => step(-1), ArrowRight: () => step(1), ArrowLeft: () => step(-1),
  j: () => step(1), k: () => step(-1), PageDown: () => step(list.page), PageUp: () => step(-list.page),
  Home: () => step(-1e9), End: () => step(1e9), n: () => find(1), N: () => find(-1),
  ']': () => stepRun(1), '[': () => stepRun(-1), p: toCause,
  '/': () => byId('filter').select(), g: () => byId('where').select(),
  '+': () => lanes.zoom(0.6), '=': () => lanes.zoom(0.6), '-': () => lanes.zoom(1 / 0.6), '0': () => lanes.fit(),
  a: () => lanes.pan(-0.3), d: () => lanes.pan(0.3), w: () => lanes.zoom(0.6), s: () => lanes.zoom(1 / 0.6),
  z: () => { if (selected && selected.run) lanes.zoomTo(selected.run.time, lanes.endOf(selected.run)); else if (selected) { const t = recording.time.get(selected.row); lanes.zoomTo(t - 5000, t + 5000); } },
  i: toggleFold, c: toggleChanges, t: toggleTheme, '?': () => toggleHelp(true),
  Escape: () => { if (byId('filter').value) { byId('filter').value = ''; filter(''); } },
};

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || byId('help').open) return;
  const target = event.target;
  if (target.matches('input')) {
    if (event.key === 'Escape') { target.value = ''; if (target.id === 'filter') filter(''); byId('list').focus(); }
    else if (event.key === 'Enter') { if (target.id === 'where') go(target.value); byId('list').focus(); }
    else return;
    event.preventDefault();
    return;
  }
  // A focused part of the tree, a button or a scrolled panel handles its own keys.
  if (target.matches('summary, button, a') && (event.key === 'Enter' || event.key === ' ')) return;
  if (target.matches('.panel') && ['ArrowDown', 'ArrowUp', 'PageDown', 'PageUp', 'Home', 'End'].includes(event.key)) return;
  const action = Object.hasOwn(keys, event.key) ? keys[event.key] : undefined;
  if (!action) return;
  event.preventDefault();
  action();
}

// The boundary below the lanes, which mouse and keys can move.
let fitSplitter = () => {};
function makeSplitter() {
  const splitter = byId('splitter'), box = byId('lanes');
  const set = height => {
    const bounded = Math.max(70, Math.min(innerHeight - 220, height));
    document.documentElement.style.setProperty('--lanes', bounded + 'px');
    splitter.setAttribute('aria-valuenow', Math.round(bounded));
  };
  splitter.addEventListener('pointerdown', event => {
    splitter.setPointerCapture(event.pointerId);
    const start = event.clientY - box.clientHeight;
    splitter.onpointermove = move => { fitSplitter = () => {}; set(move.clientY - start); };
    splitter.onpointerup = () => { splitter.onpointermove = null; };
  });
  splitter.addEventListener('keydown', event => {
    if (event.key === 'ArrowUp' || event.key === 'ArrowDown') {
      fitSplitter = () => {};
      set(box.clientHeight + (event.key === 'ArrowUp' ? -20 : 20));
      event.preventDefault();
      event.stopPropagation();
    }
  });
  // Fits the lanes, up to two fifths of the page. Repeated for new lanes, until the user moves the boundary.
  fitSplitter = () => set(Math.min(lanes.spacer.offsetHeight + 4, innerHeight * 0.4));
  fitSplitter();
}

async function start() {
  if (typeof DecompressionStream === 'undefined') throw new Error('This browser cannot inflate data (DecompressionStream). Use one of 2023 or newer.');
  await read();
  lanes = new Lanes(recording, byId('lanes'), byId('tooltip'), select);
  list = new List(recording, byId('list'), row => select({ row }));
  details = new Details(recording, byId('step'), byId('state'), select, options);
  describe();
  lanes.grow();
  makeSplitter();
  byId('progress').hidden = true;
  document.addEventListener('keydown', onKey);
  addEventListener('hashchange', () => { const target = targetOf(location.hash); if (target) select(target); });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => { lanes.colours = null; lanes.redraw(); });
  document.addEventListener('click', event => {
    const link = event.target.closest('a.to');
    if (!link) return;
    const target = targetOf(link.getAttribute('href'));
    event.preventDefault();
    if (target) select(target);
  });
  let waiting = 0;
  byId('filter').addEventListener('input', () => { clearTimeout(waiting); waiting = setTimeout(() => filter(byId('filter').value), 120); });
  for (const [id, action] of Object.entries({
    first: () => step(-1e9), back: () => step(-1), forward: () => step(1), last: () => step(1e9), theme: toggleTheme, changes: toggleChanges,
    fold: toggleFold, 'zoom-in': () => lanes.zoom(0.6), 'zoom-out': () => lanes.zoom(1 / 0.6), fit: () => lanes.fit(), 'show-help': () => toggleHelp(true),
    'close-help': () => toggleHelp(false), 'tab-step': () => showTab('step'), 'tab-state': () => showTab('state'), cause: toCause,
  })) byId(id).addEventListener('click', action);
  list.draw();
  const target = targetOf(location.hash);
  if (target) select(target, true);
  else if (recording.rows) select({ row: meta.follow ? recording.rows - 1 : 0 }, true);
  else details.show(null);
  byId('list').focus();
  document.documentElement.dataset.ready = 'yes';
  if (meta.follow) follow();
}

// MARK: Following

// Whether the last row is selected and in view.
function isAtEnd() { return !selected || !selected.run && list.next(currentRow(), 1) === currentRow() && list.isAtEnd; }

// Adds lines and shows them. Between two events of the page, the recording, the list and the lanes agree.
function grow(text) {
  const follows = isAtEnd();
  recording.add(text);
  list.grow(!(follows && list.count > 0));
  describe();
  lanes.grow();
  fitSplitter();
  if (follows && list.count > 0) select({ row: list.rowAt(list.count - 1) }, true);
  else if (selected) details.show(selected);
}

let growing = 0, arrived = '', cost = 0;  // the cost of drawing, in milliseconds
async function follow() {
  const chip = byId('live');
  chip.hidden = false;
  let at = meta.follow.offset;
  for (let failures = 0; failures < 40;) {
    try {
      const response = await fetch(meta.follow.path + '?of=' + meta.follow.number + '&from=' + at);
      if (!response.ok) throw new Error('status ' + response.status);
      if (Number(response.headers.get('X-Millrace-Recording')) !== meta.follow.number) {
        // The program was restarted: its new recording has its own page.
        selected = null;
        history.replaceState(null, '', location.pathname);
        location.reload();
        return;
      }
      const text = await response.text();
      failures = 0;
      chip.textContent = recording.isFinished ? 'ended' : 'live';
      at = Number(response.headers.get('X-Millrace-Offset'));
      if (!text) continue;
      // Lines in quick succession are drawn together, after a delay that grows with the cost of drawing.
      arrived += text;
      if (!growing) {
        growing = setTimeout(() => {
          const start = performance.now();
          const lines = arrived;
          growing = 0;
          arrived = '';
          grow(lines);
          if (recording.isFinished) chip.textContent = 'ended';
          cost = performance.now() - start;
        }, Math.min(60, 16 + 2 * cost));
      }
    } catch (error) {
      failures++;
      chip.textContent = 'not connected';
      await new Promise(resolve => setTimeout(resolve, Math.min(5000, 200 * failures)));
    }
  }
}

start().catch(error => {
  const progress = byId('progress');
  progress.hidden = false;
  progress.textContent = 'The page cannot show the recording: ' + error.message;
  console.error(error);
});
