// Shows values as trees, with the changes of a step.

const PAGE = 200;

function element(name, className, text) {
  const one = document.createElement(name);
  if (className) one.className = className;
  if (text !== undefined) one.textContent = text;
  return one;
}

function scalarClass(value) {
  if (value === null) return 'nil';
  if (typeof value === 'string') return 'text';
  if (value instanceof Num) return 'num';
  if (value instanceof Word) return 'word';
  return typeof value === 'boolean' ? 'bool' : 'brief';
}

// The associated values of an enum's case; other values unchanged.
function held(value) { return isCase(value) ? value.values().next().value : value; }

function isInner(value) {
  const within = held(value);
  return Array.isArray(within) ? within.length > 0 : within instanceof Map && within.size > 0;
}

// The name of a value whose children are shown: its case or type.
function nameOf(value) {
  if (isCase(value)) return '.' + visible(value.keys().next().value);
  return value instanceof Map && value.typeName ? visible(value.typeName) : '';
}

// The children of a value, with the name of each.
function* childrenOf(value) {
  if (Array.isArray(value)) for (let i = 0; i < value.length; i++) yield [i, value[i], '[' + i + ']'];
  else for (const [key, one] of value) yield [key, one, /^_\d+$/.test(key) ? '' : visible(key)];
}

// The element of a whole value, unfolded.
function rootOf(value, change, options) {
  if (!isInner(value) || change && change.kind === 'replaced') return treeOf('', value, change, options);
  const root = element('div', 'root');
  if (nameOf(value)) root.append(element('div', 'type', nameOf(value)));
  const within = isCase(value) && change ? change.of[0][1] : change;
  fillChildren(root, held(value), within, options, 0);
  return root;
}

// - change: the difference to an earlier value, or undefined.
function treeOf(name, value, change, options, depth = 0) {
  const kind = change ? change.kind : 'same';
  const mark = { added: '+ ', removed: '− ', replaced: '~ ' }[kind] || '';
  const item = element('div', 'node ' + (change ? 'changed ' + kind : ''));
  if (kind === 'replaced' && !(isInner(change.old) && isInner(value))) {
    const line = element('div', 'leaf');
    heading(line, mark, name);
    line.append(element('span', 'old', leafText(change.old)), element('span', 'arrow', ' → '), element('span', 'new', leafText(value)));
    if (isInner(value)) return withChildren(item, line, held(value), undefined, options, depth, false);
    item.append(line);
    return item;
  }
  if (!isInner(value)) {
    const line = element('div', 'leaf');
    heading(line, mark, name);
    line.append(element('span', 'value ' + scalarClass(value), leafText(value)));
    item.append(line);
    return item;
  }
  const line = element('span', 'head');
  heading(line, mark, name);
  line.append(element('span', 'type', nameOf(value)), element('span', 'brief', briefText(value, 90)));
  if (Array.isArray(value) && value.length > 3) line.append(element('span', 'size', ' ' + value.length));
  if (kind === 'replaced') {
    const old = element('div', 'leaf');
    old.append(element('span', 'old', briefText(change.old, 90)));
    item.append(old);
  }
  let inner = kind === 'fields' || kind === 'elements' ? change : undefined;
  if (inner && isCase(value)) inner = inner.of[0][1];
  return withChildren(item, line, held(value), inner, options, depth, inner !== undefined);
}

function heading(line, mark, name) {
  if (mark) line.append(element('span', 'mark', mark));
  if (name) line.append(element('span', 'key', name), element('span', 'colon', ': '));
}

function leafText(value) {
  return typeof value === 'string' ? '"' + visible(value) + '"' : briefText(value, 300);
}

function withChildren(item, line, value, change, options, depth, isOpen) {
  const details = element('details');
  const summary = element('summary');
  summary.append(line);
  details.append(summary);
  const body = element('div', 'children');
  details.append(body);
  let isFilled = false;
  const fill = () => {
    if (isFilled) return;
    isFilled = true;
    fillChildren(body, value, change, options, depth);
  };
  if (isOpen) { details.open = true; fill(); }
  details.addEventListener('toggle', fill);
  item.append(details);
  return item;
}

function fillChildren(body, value, change, options, depth) {
  const changes = new Map();
  const removed = [];
  if (change) for (const [key, one] of change.of) if (one.kind === 'removed') removed.push([key, one]); else changes.set(key, one);
  for (const [key, one] of removed) {
    body.append(treeOf(Array.isArray(value) ? '[' + key + ']' : visible(key), one.value, one, options, depth + 1));
  }
  const children = childrenOf(value);
  const more = () => {
    let count = 0, skipped = 0;
    for (let next = children.next(); !next.done; next = children.next()) {
      const [key, one, name] = next.value;
      const inner = changes.get(key);
      if (change && options.onlyChanges && !inner) { skipped++; continue; }
      body.append(treeOf(name, one, inner, options, depth + 1));
      if (++count === PAGE) {
        const button = element('button', 'more', 'show more');
        button.addEventListener('click', () => { button.remove(); more(); });
        body.append(button);
        return;
      }
    }
    if (skipped) body.append(element('div', 'rest', skipped + ' unchanged'));
  };
  more();
}
