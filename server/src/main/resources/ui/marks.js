/** State as a shape, a colour and a word; small pictures that stand in tables. */

import {h, setAttr, setText, svg} from './dom.js';

/** @type {Record<import('./types.js').State, {word: string, rank: number}>} */
export const STATES = {
  down: {word: 'Down', rank: 0},
  critical: {word: 'Critical', rank: 1},
  degraded: {word: 'Degraded', rank: 2},
  unknown: {word: 'Unknown', rank: 3},
  ok: {word: 'OK', rank: 4},
  idle: {word: 'Idle', rank: 5},
};

/** @returns {import('./types.js').State} one that we have a shape for */
export function known(state) {
  return Object.hasOwn(STATES, state) ? state : 'unknown';
}

function shape(state) {
  switch (state) {
    case 'ok':
      return [svg('circle', {cx: 6, cy: 6, r: 4.5, class: 'solid'})];
    case 'idle':
      return [svg('circle', {cx: 6, cy: 6, r: 4, class: 'hollow'})];
    case 'degraded':
      return [svg('path', {d: 'M6 1 11.5 11h-11z', class: 'solid'})];
    case 'critical':
      return [svg('path', {d: 'M6 .5 11.5 6 6 11.5 .5 6z', class: 'solid'})];
    case 'down':
      return [svg('path', {d: 'M2 2l8 8M10 2l-8 8', class: 'stroke'})];
    default:
      return [svg('circle', {cx: 6, cy: 6, r: 4, class: 'hollow dashed'})];
  }
}

/**
 * @param {string} state
 * @returns {SVGElement} the shape alone; whoever uses it says the word
 */
export function stateShape(state) {
  const name = known(state);
  return svg('svg', {class: `shape state-${name}`, viewBox: '0 0 12 12', width: 12, height: 12, 'aria-hidden': 'true'}, shape(name));
}

/**
 * @param {string} state
 * @returns {HTMLElement} shape and word
 */
export function stateMark(state) {
  return updateMark(h('span', {class: 'mark'}), state);
}

/**
 * @param {HTMLElement} mark made by stateMark
 * @param {string} state
 * @param {string} [word] in place of the state's own
 */
export function updateMark(mark, state, word = STATES[known(state)].word) {
  const name = known(state);
  if (mark.dataset.state !== name || mark.lastElementChild?.textContent !== word) {
    mark.dataset.state = name;
    mark.replaceChildren(stateShape(name), h('span', {class: 'word'}, word));
  }
  return mark;
}

/**
 * Replicas as a strip of small shapes; many of them are counted by state instead.
 *
 * @param {HTMLElement} strip
 * @param {import('./types.js').Replica[]} replicas
 */
export function updateReplicas(strip, replicas) {
  const key = replicas.map((replica) => `${replica.instance} ${replica.state}`).join(',');
  if (strip.dataset.shown === key) {
    return;
  }
  strip.dataset.shown = key;
  const sorted = [...replicas].sort((a, b) => STATES[known(a.state)].rank - STATES[known(b.state)].rank);
  const shown = sorted.slice(0, 16).map((replica) => {
    const words = `${replica.instance}: ${STATES[known(replica.state)].word}. ${replica.sentence}`;
    return h('span', {class: 'replica', title: words}, stateShape(replica.state), h('span', {class: 'visually-hidden'}, words));
  });
  const more = sorted.length - shown.length;
  strip.replaceChildren(...shown, ...(more > 0 ? [h('span', {class: 'muted'}, `+${more}`)] : []));
}

const SPARK_WIDTH = 72;
const SPARK_HEIGHT = 20;

/** @returns {SVGElement} an empty sparkline */
export function spark() {
  const view = `0 0 ${SPARK_WIDTH} ${SPARK_HEIGHT}`;
  return svg(
    'svg',
    {class: 'spark', viewBox: view, preserveAspectRatio: 'none', 'aria-hidden': 'true'},
    svg('line', {class: 'goal', x1: 0, x2: SPARK_WIDTH, visibility: 'hidden'}),
    svg('path', {class: 'trend', d: ''}),
  );
}

/**
 * @param {SVGElement} node made by spark
 * @param {(number|null)[]} values
 * @param {number|null} goal drawn as a thin line where it lies within reach of the values
 * @param {boolean} [dashed] an estimate
 */
export function updateSpark(node, values, goal, dashed = false) {
  const [line, path] = node.children;
  const largest = values.reduce((max, value) => Math.max(max, value ?? 0), 0);
  const reach = goal !== null && goal !== undefined && goal > 0 && goal <= largest * 4;
  const top = Math.max(largest, reach ? goal : 0) || 1;
  const y = (value) => SPARK_HEIGHT - 1.5 - (value / top) * (SPARK_HEIGHT - 3);
  setAttr(path, 'd', sparkPath(values, y));
  setAttr(path, 'stroke-dasharray', dashed ? '3 2' : null);
  setAttr(line, 'visibility', reach ? 'visible' : 'hidden');
  if (reach) {
    setAttr(line, 'y1', y(goal).toFixed(1));
    setAttr(line, 'y2', y(goal).toFixed(1));
  }
}

/**
 * The line through some values, from left to right; a gap is a gap.
 *
 * @param {(number|null)[]} values
 * @param {(value: number) => number} y
 * @param {number} [width]
 */
export function sparkPath(values, y, width = SPARK_WIDTH) {
  const dx = width / Math.max(1, values.length - 1);
  let pen = 'M';
  let path = '';
  values.forEach((value, i) => {
    if (value === null || value === undefined) {
      pen = 'M';
    } else {
      path += `${pen}${(i * dx).toFixed(1)} ${y(value).toFixed(1)}`;
      pen = 'L';
    }
  });
  return path;
}

/** @returns {HTMLElement} an empty bar for a ratio from 0 to 1 */
export function bar() {
  return h('span', {class: 'bar', 'aria-hidden': 'true'}, h('span', {class: 'fill'}));
}

/** @param {HTMLElement} node made by bar */
export function updateBar(node, ratio, level = '') {
  const share = Number.isFinite(ratio) ? Math.min(1, Math.max(0, ratio)) : 0;
  node.firstElementChild.style.setProperty('inline-size', `${(share * 100).toFixed(1)}%`);
  setAttr(node, 'data-level', level || null);
  setAttr(node, 'data-empty', !Number.isFinite(ratio));
}

/** @returns {HTMLElement} a place for a number and its unit */
export function figure(className = '') {
  return h('span', {class: `figure ${className}`}, h('span', {class: 'number'}, '–'), ' ', h('span', {class: 'unit'}));
}

/** @param {HTMLElement} node made by figure @param {import('./format.js').Quantity} value */
export function updateFigure(node, value) {
  setText(node.children[0], value.text);
  setText(node.children[1], value.unit);
}
