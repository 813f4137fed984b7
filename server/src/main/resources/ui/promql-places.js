/** Where in a query something is meant: what messages say in lines and columns, what answers say in bytes. */

import {tokenize} from './promql-lexer.js';

/**
 * @typedef {object} Place lines and columns from 1, columns in bytes of UTF-8
 * @property {number} line
 * @property {number} column
 * @property {string} text what is said, without the place
 *
 * @typedef {object} Mark
 * @property {number} from
 * @property {number} to
 * @property {'error'|'warning'|'info'} level
 */

/**
 * The place that an error message names: `1:5: parse error: ...`.
 *
 * @param {string} message
 * @returns {Place|null}
 */
export function errorPlace(message) {
  const match = /(\d{1,6}):(\d{1,6}): (?:parse error: )?([\s\S]*)$/.exec(message);
  return match ? {line: Number(match[1]), column: Number(match[2]), text: match[3]} : null;
}

/**
 * The place at the end of a warning or info: `PromQL info: ... (1:5)`.
 *
 * @param {string} message
 * @returns {Place|null}
 */
export function notePlace(message) {
  const match = /^(?:PromQL (?:warning|info): )?([\s\S]*) \((\d{1,6}):(\d{1,6})\)$/.exec(message);
  return match ? {line: Number(match[2]), column: Number(match[3]), text: match[1]} : null;
}

/**
 * @param {string} text
 * @param {number} bytes offset in the UTF-8 of the text
 * @returns {number} index of the UTF-16 unit there
 */
export function indexOfByte(text, bytes) {
  let seen = 0;
  let index = 0;
  while (index < text.length && seen < bytes) {
    const code = text.codePointAt(index);
    seen += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    index += code < 0x10000 ? 1 : 2;
  }
  return index;
}

/**
 * @param {string} text
 * @param {{line: number, column: number}} place
 * @returns {{from: number, to: number}} the token that stands there; nothing at the end of the text
 */
export function spanAt(text, {line, column}) {
  const lines = text.split('\n');
  if (line > lines.length) {
    return {from: text.length, to: text.length};
  }
  const before = lines.slice(0, line - 1).reduce((sum, other) => sum + other.length + 1, 0);
  const from = before + indexOfByte(lines[line - 1], column - 1);
  const token = tokenize(text).find(({to}) => to > from);
  return token === undefined || token.from > from ? {from, to: Math.min(text.length, from + 1)} : {from: token.from, to: token.to};
}

/**
 * @param {string} text
 * @param {Place[]} places
 * @param {Mark['level']} level
 * @returns {Mark[]}
 */
export function marksOf(text, places, level) {
  return places.map((place) => ({...spanAt(text, place), level}));
}

/**
 * A text in pieces, each with what is to be said of it: tokens give the colour, marks and the stretch lie over them.
 *
 * @param {string} text
 * @param {Mark[]} marks
 * @param {{from: number, to: number}|null} stretch
 * @returns {{text: string, kind: string, level: string, stretch: boolean}[]}
 */
export function pieces(text, marks, stretch) {
  const tokens = tokenize(text);
  const edges = new Set([0, text.length]);
  [...tokens, ...marks, ...(stretch ? [stretch] : [])].forEach(({from, to}) => edges.add(from).add(to));
  const sorted = [...edges].filter((edge) => edge <= text.length).sort((a, b) => a - b);
  const found = [];
  let next = 0;
  for (let i = 0; i + 1 < sorted.length; i++) {
    const [from, to] = [sorted[i], sorted[i + 1]];
    while (next < tokens.length && tokens[next].to <= from) {
      next++;
    }
    const kind = next < tokens.length && tokens[next].from <= from ? tokens[next].kind : '';
    const level = marks.find((mark) => mark.from <= from && to <= mark.to)?.level ?? '';
    found.push({text: text.slice(from, to), kind, level, stretch: stretch !== null && stretch.from <= from && to <= stretch.to});
  }
  return found;
}
