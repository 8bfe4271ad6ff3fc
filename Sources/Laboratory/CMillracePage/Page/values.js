// Values of a recording. Parsed by hand, so that numbers keep all their digits and fields their order, and so that the name
// of a field has no special meaning in JavaScript.

class Num {
  constructor(text) { this.text = text; }
}

function parseJSON(text) {
  let at = 0;
  function fail() { throw new Error('no JSON at ' + at); }
  function space() { while (at < text.length && text.charCodeAt(at) <= 32) at++; }
  function string() {
    const start = at;
    for (at++; text.charCodeAt(at) !== 34; at++) {
      if (at >= text.length) fail();
      if (text.charCodeAt(at) === 92) at++;
    }
    at++;
    const raw = text.slice(start, at);
    return raw.indexOf('\\') < 0 ? raw.slice(1, -1) : JSON.parse(raw);
  }
  function value() {
    space();
    const code = text.charCodeAt(at);
    if (code === 34) return string();
    if (code === 123) {
      const map = new Map();
      at++;
      space();
      if (text.charCodeAt(at) === 125) { at++; return map; }
      for (;;) {
        space();
        if (text.charCodeAt(at) !== 34) fail();
        const key = string();
        space();
        if (text.charCodeAt(at++) !== 58) fail();
        map.set(key, value());
        space();
        const next = text.charCodeAt(at++);
        if (next === 125) return map;
        if (next !== 44) fail();
      }
    }
    if (code === 91) {
      const list = [];
      at++;
      space();
      if (text.charCodeAt(at) === 93) { at++; return list; }
      for (;;) {
        list.push(value());
        space();
        const next = text.charCodeAt(at++);
        if (next === 93) return list;
        if (next !== 44) fail();
      }
    }
    if (text.startsWith('true', at)) { at += 4; return true; }
    if (text.startsWith('false', at)) { at += 5; return false; }
    if (text.startsWith('null', at)) { at += 4; return null; }
    const start = at;
    while (at < text.length && '0123456789.eE+-'.includes(text[at])) at++;
    if (at === start) fail();
    return new Num(text.slice(start, at));
  }
  return value();
}

// Control characters and marks of direction in text from elsewhere, which are shown instead of obeyed.
const unseen = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;
function visible(text) {
  return String(text).replace(unseen, c => '\\u{' + c.charCodeAt(0).toString(16).toUpperCase() + '}');
}

// Whether a value is the case of an enum, in the compiler's own coding: {"arrived":{"_0":7}}.
function isCase(value) {
  if (!(value instanceof Map) || value.size !== 1 || value.typeName !== undefined) return false;
  const [name, inner] = value.entries().next().value;
  return inner instanceof Map && inner.typeName === undefined && !/^_\d+$/.test(name);
}

// A value as Swift source in one line, cut after about `limit` characters.
function briefText(value, limit) {
  let out = '';
  function put(text) { if (out.length <= limit) out += text; }
  function write(value) {
    if (out.length > limit) return;
    if (value === null) put('nil');
    else if (typeof value === 'string') put(JSON.stringify(value.length > limit ? value.slice(0, limit) + '…' : value));
    else if (value instanceof Num || value instanceof Word) put(value.text);
    else if (Array.isArray(value)) {
      put('[');
      for (let i = 0; i < value.length && out.length <= limit; i++) { if (i) put(', '); write(value[i]); }
      put(']');
    } else if (isCase(value)) {
      const [name, inner] = value.entries().next().value;
      put('.' + name);
      if (inner.size) { put('('); fields(inner); put(')'); }
    } else if (value instanceof Map && value.typeName) { put(value.typeName + '('); fields(value); put(')'); }
    else if (value instanceof Map) { put('{'); fields(value); put('}'); }
    else put(String(value));
  }
  function fields(map) {
    let first = true;
    for (const [key, value] of map) {
      if (out.length > limit) return;
      if (!first) put(', ');
      first = false;
      if (!/^_\d+$/.test(key)) put(key + ': ');
      write(value);
    }
  }
  write(value);
  return visible(out.length > limit ? out.slice(0, limit) + '…' : out);
}

function caseName(value) {
  if (!isCase(value)) return null;
  const [name, inner] = value.entries().next().value;
  const within = inner.size === 1 && inner.has('_0') ? caseName(inner.get('_0')) : null;
  return '.' + name + (within ? '(' + within + ')' : '');
}

// The difference of two values; null if they are equal.
//   { kind: 'replaced' }                          another value
//   { kind: 'fields', of: [[key, change], …] }     the fields that differ
//   { kind: 'elements', of: [[index, change], …] } the elements that differ, in the order in which they are shown
// A change of a field or an element is { kind: 'added', value }, { kind: 'removed', value } or one of the above with
// `old` and `value`.
function difference(old, value) {
  if (old === value) return null;
  if (old instanceof Num && value instanceof Num || old instanceof Word && value instanceof Word) {
    return old.text === value.text ? null : { kind: 'replaced' };
  }
  if (old instanceof Map && value instanceof Map) {
    if (isCase(old) && isCase(value) && old.keys().next().value !== value.keys().next().value) return { kind: 'replaced' };
    if (old.typeName !== value.typeName) return { kind: 'replaced' };
    const of = [];
    for (const [key, one] of value) {
      if (!old.has(key)) of.push([key, { kind: 'added', value: one }]);
      else {
        const inner = difference(old.get(key), one);
        if (inner) of.push([key, Object.assign(inner, { old: old.get(key), value: one })]);
      }
    }
    for (const [key, one] of old) if (!value.has(key)) of.push([key, { kind: 'removed', value: one }]);
    return of.length ? { kind: 'fields', of } : null;
  }
  if (Array.isArray(old) && Array.isArray(value)) return differenceOfArrays(old, value);
  return { kind: 'replaced' };
}

function differenceOfArrays(old, value) {
  let start = 0, end = 0;
  const least = Math.min(old.length, value.length);
  while (start < least && !difference(old[start], value[start])) start++;
  while (end < least - start && !difference(old[old.length - 1 - end], value[value.length - 1 - end])) end++;
  const before = old.slice(start, old.length - end), after = value.slice(start, value.length - end);
  if (!before.length && !after.length) return null;
  const of = [];
  const idOf = one => one instanceof Map && one.has('id') ? briefText(one.get('id'), 200) : undefined;
  const ids = new Map();
  for (const one of before) if (idOf(one) !== undefined) ids.set(idOf(one), one);
  if (ids.size === before.length && before.length && after.every(one => idOf(one) !== undefined)) {
    const kept = new Set();
    after.forEach((one, index) => {
      const id = idOf(one);
      if (!ids.has(id)) { of.push([start + index, { kind: 'added', value: one }]); return; }
      kept.add(id);
      const inner = difference(ids.get(id), one);
      if (inner) of.push([start + index, Object.assign(inner, { old: ids.get(id), value: one })]);
    });
    before.forEach((one, index) => {
      if (!kept.has(idOf(one))) of.push([start + index, { kind: 'removed', value: one }]);
    });
    return { kind: 'elements', of };
  }
  const both = Math.min(before.length, after.length);
  for (let i = 0; i < both; i++) {
    const inner = difference(before[i], after[i]);
    if (inner) of.push([start + i, Object.assign(inner, { old: before[i], value: after[i] })]);
  }
  for (let i = both; i < after.length; i++) of.push([start + i, { kind: 'added', value: after[i] }]);
  for (let i = both; i < before.length; i++) of.push([start + i, { kind: 'removed', value: before[i] }]);
  return { kind: 'elements', of };
}
