// Reads values recorded as text, `State(items: [.todo("milk")], count: 3)`, as trees if the text has this form.

// Text that cannot be parsed as a value, such as 0.25 seconds.
class Word {
  constructor(text) { this.text = text; }
}

// - Returns: a value like those of parseJSON; a map has the name of its type.
function parseSpelled(text) {
  const value = readSpelled(text.trim(), 0);
  return value instanceof Word ? text : value;
}

function readSpelled(text, depth) {
  if (depth > 60 || text === '') return new Word(text);
  if (text === 'nil') return null;
  if (text === 'true' || text === 'false') return text === 'true';
  if (/^-?\d+(\.\d+)?(e[+-]?\d+)?$/.test(text)) return new Num(text);
  if (text[0] === '"') {
    try {
      const string = JSON.parse(text.replace(/\\u\{([0-9A-Fa-f]{1,4})\}/g, (_, code) => '\\u' + code.padStart(4, '0')).replace(/\\'/g, "'"));
      if (typeof string === 'string') return string;
    } catch { /* shown as it is */ }
    return new Word(text);
  }
  if (text[0] === '[' && text.endsWith(']')) {
    const parts = splitSpelled(text.slice(1, -1));
    if (!parts) return new Word(text);
    if (text === '[:]') return new Map();
    if (parts.length && parts.every(part => part.colon > 0 || /^and \d+ more$/.test(part.text))) {
      const map = new Map();
      map.typeName = '';
      for (const part of parts) {
        if (part.colon > 0) map.set(part.text.slice(0, part.colon).replace(/^"(.*)"$/, '$1'), readSpelled(part.text.slice(part.colon + 2), depth + 1));
        else map.set('…', new Word(part.text));
      }
      return map;
    }
    return parts.map(part => readSpelled(part.text, depth + 1));
  }
  const open = text.indexOf('(');
  const name = open < 0 ? text : text.slice(0, open);
  if (open < 0 && /^\.\w+$/.test(text)) return new Map([[text.slice(1), new Map()]]);
  if (open < 0 || !text.endsWith(')') || !/^\.?\w*$/.test(name)) return new Word(text);
  const parts = splitSpelled(text.slice(open + 1, -1));
  if (!parts) return new Word(text);
  const fields = new Map();
  parts.forEach((part, index) => {
    const isLabelled = part.colon > 0 && /^\w+$/.test(part.text.slice(0, part.colon));
    const key = isLabelled ? part.text.slice(0, part.colon) : '_' + index;
    fields.set(key, readSpelled(isLabelled ? part.text.slice(part.colon + 2) : part.text, depth + 1));
  });
  if (name[0] === '.') return new Map([[name.slice(1), fields]]);
  fields.typeName = name;
  return fields;
}

// Splits a list at its commas. Each part has the position of its first `: `. Null if brackets do not match.
function splitSpelled(text) {
  const parts = [];
  let depth = 0, start = 0, colon = -1;
  if (text.trim() === '') return parts;
  for (let at = 0; at < text.length; at++) {
    const one = text[at];
    if (one === '"') {
      for (at++; at < text.length && text[at] !== '"'; at++) if (text[at] === '\\') at++;
    } else if (one === '(' || one === '[') depth++;
    else if (one === ')' || one === ']') { if (--depth < 0) return null; }
    else if (depth === 0 && one === ':' && text[at + 1] === ' ' && colon < 0) colon = at - start;
    else if (depth === 0 && one === ',' && text[at + 1] === ' ') {
      parts.push({ text: text.slice(start, at), colon });
      start = at + 2;
      colon = -1;
      at++;
    }
  }
  if (depth !== 0) return null;
  parts.push({ text: text.slice(start), colon });
  return parts;
}
