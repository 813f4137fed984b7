/** What a query did, part by part: series and samples that each touched, and where the time went. */

import {h} from './dom.js';
import {format} from './format.js';
import {indexOfByte} from './promql-places.js';

const MAX_NODES = 400;

/**
 * @typedef {object} Explained a part of a query, as `/api/v1/query_explain` describes it
 * @property {string} expr
 * @property {number} start offset in bytes
 * @property {number} end
 * @property {string} kind
 * @property {number} series
 * @property {number} samples
 * @property {number} points
 * @property {number} seconds with the parts below it
 * @property {boolean} [reused]
 * @property {Explained[]} children
 */

/**
 * @param {Explained} root
 * @returns {{node: Explained, depth: number, own: number}[]} in the order of reading, with each part's own time
 */
export function explainRows(root) {
  const rows = [];
  const visit = (node, depth) => {
    if (rows.length >= MAX_NODES) {
      return;
    }
    const children = node.children ?? [];
    const below = children.reduce((sum, child) => sum + (child.seconds ?? 0), 0);
    rows.push({node, depth, own: Math.max(0, (node.seconds ?? 0) - below)});
    children.forEach((child) => visit(child, depth + 1));
  };
  visit(root, 0);
  return rows;
}

/** @returns {string} the whole in a sentence */
export function explainSentence(root) {
  const selectors = explainRows(root).filter(({node}) => !node.reused && /selector$/.test(node.kind));
  const sum = (key) => selectors.reduce((total, {node}) => total + (node[key] ?? 0), 0);
  const count = (number, word) => `${number.toLocaleString('en')} ${word}${number === 1 || word === 'series' ? '' : 's'}`;
  return `${count(selectors.length, 'selector')} read ${count(sum('samples'), 'sample')} of ${count(sum('series'), 'series')}; the whole took ${format(root.seconds, 'seconds')}.`;
}

/**
 * @param {string} text the query that was explained
 * @param {Explained} root
 * @param {(stretch: {from: number, to: number}|null) => void} highlight
 * @returns {HTMLElement}
 */
export function explainTable(text, root, highlight) {
  const rows = explainRows(root);
  const largest = (valueOf) => rows.reduce((most, row) => Math.max(most, valueOf(row)), 0);
  const most = {series: largest(({node}) => node.series ?? 0), samples: largest(({node}) => node.samples ?? 0), own: largest(({own}) => own)};
  const lines = rows.map((row, i) => explainLine(row, most, {tabindex: i === 0 ? 0 : -1, ...pointing(text, row.node, highlight)}));
  const head = ['Part of the query', 'Series', 'Samples', 'Own time'].map((title, i) => h('th', {scope: 'col', class: i > 0 && 'number'}, title));
  return h(
    'div',
    {},
    h('p', {class: 'explain-sentence'}, explainSentence(root)),
    h('div', {class: 'scroll'}, h('table', {class: 'rows explain-rows'}, h('thead', {}, h('tr', {}, head)), h('tbody', {onkeydown: toNeighbour}, lines))),
    rows.length === MAX_NODES && h('p', {class: 'muted'}, `The first ${MAX_NODES} parts are shown.`),
  );
}

/** The arrows go from row to row. */
function toNeighbour(event) {
  const row = document.activeElement.closest('tr');
  const next = {ArrowDown: row?.nextElementSibling, ArrowUp: row?.previousElementSibling}[event.key];
  if (next) {
    event.preventDefault();
    next.focus();
  }
}

/** What marks a part in the text while it is pointed at. */
function pointing(text, node, highlight) {
  const stretch = {from: indexOfByte(text, node.start), to: indexOfByte(text, node.end)};
  const show = () => highlight(stretch);
  const hide = () => highlight(null);
  return {onpointerenter: show, onpointerleave: hide, onfocus: show, onblur: hide};
}

function explainLine({node, depth, own}, most, props) {
  const [series, samples] = [node.series ?? 0, node.samples ?? 0];
  return h(
    'tr',
    {'data-row': true, ...props},
    h('td', {class: 'explain-part', style: {'--depth': String(depth)}}, h('span', {class: 'visually-hidden'}, `Level ${depth + 1}: `), h('code', {title: node.expr}, node.expr), h('span', {class: 'explain-kind muted'}, node.reused ? `${words(node.kind)}, reused` : words(node.kind))),
    barCell(series, most.series, series.toLocaleString('en'), 'explain-series'),
    barCell(samples, most.samples, samples.toLocaleString('en'), 'explain-samples'),
    barCell(own, most.own, format(own, 'seconds'), 'explain-time'),
  );
}

function words(kind) {
  return String(kind).replaceAll('-', ' ');
}

function barCell(value, most, text, cls) {
  return h('td', {class: `number explain-cell ${cls}`}, h('span', {class: 'explain-bar', 'aria-hidden': 'true', style: {width: `${most > 0 ? (value / most) * 100 : 0}%`}}), h('span', {}, text));
}
