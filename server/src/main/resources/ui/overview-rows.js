/** The rows of the overview: a service in a line, with its numbers. */

import {asSentence} from './absence.js';
import {h, setAttr, setText} from './dom.js';
import {boundedQuantity, boundsWords, format, quantity} from './format.js';
import {OVERVIEW_COLUMNS, OVERVIEW_GAUGES, PER_GPU, firstFed} from './layout.js';
import {bar, figure, spark, stateMark, updateBar, updateFigure, updateMark, updateReplicas, updateSpark} from './marks.js';
import {isRough} from './number-tile.js';
import {QUALITY_WORDS, qualityTitle} from './panel-details.js';
import {diagnosisPath, servicePath} from './state.js';
import {isOpen, nameless, stateWord} from './verdicts.js';

/** Heads of the table of engines and routers, after the state. */
export function serviceHeads(first) {
  return ['State', first, 'What is the matter', ...OVERVIEW_COLUMNS.map((column) => column.title), 'Out tok/s', 'Run / wait', 'KV cache', 'Replicas'];
}

/** A row of which any cell may be filled later. */
function row(...cells) {
  const link = h('a', {'data-nav': true, class: 'name'});
  const node = h('tr', {tabindex: -1, 'data-row': true}, h('td', {class: 'c0'}, stateMark('unknown')), h('td', {class: 'c1'}, link, h('span', {class: 'engine muted'})), cells);
  node.addEventListener('enter', () => link.click());
  return node;
}

const tag = () => h('span', {class: 'tag muted'});

export function engineRow() {
  const trends = OVERVIEW_COLUMNS.map((column, i) => h('td', {class: `c${i + 3} trend-cell`, 'data-column': column.key}, figure(), spark(), tag()));
  return row(
    h('td', {class: 'c2'}, h('span', {class: 'says'}), h('a', {class: 'why-link', 'data-nav': true, hidden: true}, 'Why')),
    trends,
    h('td', {class: 'c7', 'data-column': 'tokens'}, figure(), tag()),
    h('td', {class: 'c8', 'data-column': 'load'}, h('span', {class: 'figure'}, h('span', {class: 'number'}, '–'))),
    h('td', {class: 'c9', 'data-column': 'kv'}, bar(), figure()),
    h('td', {class: 'c10'}, h('span', {class: 'replicas'})),
  );
}

/** @param {[string[], string][]} columns */
export function columnRow(columns) {
  return row(columns.map(([[name], head], i) => h('td', {class: `c${i + 2}`, 'data-column': name, 'data-head': head}, bar(), figure())));
}

export function otherRow() {
  return row(h('td', {class: 'c2'}, h('span', {class: 'says'})));
}

/** State, name and sentence, which are known without asking. */
export function updateHead(node, service, linkTo) {
  const link = node.querySelector('.name');
  updateMark(node.querySelector('.mark'), service.state, stateWord(service));
  setText(link, service.name);
  setAttr(link, 'href', linkTo(servicePath(service.id)));
  setText(node.querySelector('.engine'), [service.engine.title, service.version?.text].filter(Boolean).join(' '));
  setAttr(node.querySelector('.engine'), 'title', service.version?.because ?? null);
  const says = node.querySelector('.says');
  if (says) {
    const sentence = nameless(service.sentence, service.name);
    setText(says, sentence);
    setAttr(says, 'title', sentence);
  }
  const why = node.querySelector('.why-link');
  if (why) {
    why.hidden = service.verdict === null || !isOpen(service.verdict);
    setAttr(why, 'href', linkTo(diagnosisPath(service.id)));
    setAttr(why, 'aria-label', `Why: ${service.name}`);
  }
  const replicas = node.querySelector('.replicas');
  if (replicas) {
    updateReplicas(replicas, service.replicas);
  }
}

/** @returns {{trends: ([string, string]|null)[], gauges: Record<string, string|null>}} what stands in the row's cells */
export function rowSignals(service) {
  const trends = OVERVIEW_COLUMNS.map(({of}) => of.find(([name]) => service.signals.includes(name)) ?? null);
  const gauges = Object.fromEntries(Object.entries(OVERVIEW_GAUGES).map(([key, names]) => [key, firstFed(names, service)]));
  return {trends, gauges};
}

/** @param {Map<string, import('./types.js').SignalResult>} now @param {Map<string, import('./types.js').SignalResult>} curves */
export function fillEngineRow(node, service, {trends, gauges}, now, curves, vocabulary) {
  OVERVIEW_COLUMNS.forEach((column, i) => fillTrend(node.querySelector(`[data-column="${column.key}"]`), column, trends[i], service, now, curves, vocabulary));
  fillGauges(node, gauges, now, vocabulary);
}

function fillTrend(cell, column, chosen, service, now, curves, vocabulary) {
  const [value, line, small] = cell.children;
  const [name, words] = chosen ?? [null, ''];
  const result = now.get(name);
  const entry = latestOf(result);
  updateFigure(value, boundedQuantity(entry.value, result?.unit ?? '', entry.low, entry.high));
  updateSpark(line, curves.get(name)?.series[0]?.values ?? [], result?.goal ?? null, isRough(result));
  setText(small, [words, isRough(result) ? QUALITY_WORDS[result.quality] : ''].filter(Boolean).join(', '));
  setAttr(cell, 'data-over', result?.goal !== null && result?.goal !== undefined && entry.value > result.goal);
  setAttr(cell, 'data-absent', chosen === null);
  setAttr(cell, 'title', chosen === null ? absentTitle(column.of[0][0], service) : titleOf(vocabulary.get(name), result, entry));
}

function absentTitle(name, service) {
  const absent = service.absent.find((entry) => entry.signal === name);
  return [asSentence(absent?.reason ?? ''), absent?.fix].filter(Boolean).join('\n');
}

function titleOf(signal, result, {value, low, high}) {
  const bounds = value === null ? '' : boundsWords(result.unit, low, high);
  const parts = [signal?.title, bounds && `the true value lies ${bounds}`, result?.goal ? `goal ${format(result.goal, result.unit)}` : ''].filter(Boolean);
  return [parts.join(', '), isRough(result) ? qualityTitle(result) : '', signal?.caveat].filter(Boolean).join('\n');
}

function fillGauges(node, names, now, vocabulary) {
  const valueOf = (key) => latestOf(now.get(names[key])).value;
  const tokens = node.querySelector('[data-column="tokens"]');
  updateFigure(tokens.children[0], quantity(valueOf('tokens'), 'count'));
  setText(tokens.children[1], names.tokens === PER_GPU ? 'per GPU' : '');
  const [running, waiting] = [valueOf('running'), valueOf('waiting')];
  setText(node.querySelector('[data-column="load"] .number'), running === null && waiting === null ? '–' : `${countText(running)} / ${countText(waiting)}`);
  const kv = node.querySelector('[data-column="kv"]');
  updateBar(kv.children[0], valueOf('kv') ?? NaN, level(valueOf('kv'), vocabulary.get(names.kv)));
  updateFigure(kv.children[1], quantity(valueOf('kv'), 'ratio'));
}

/** Cells of one signal each: a bar where it is a share. */
export function fillColumnRow(node, service, columns, now, vocabulary) {
  columns.forEach(([alternatives, head]) => {
    const cell = node.querySelector(`[data-column="${alternatives[0]}"]`);
    const name = firstFed(alternatives, service);
    const result = now.get(name);
    const {value} = latestOf(result);
    const signal = vocabulary.get(name);
    cell.children[0].hidden = result !== undefined && result.unit !== 'ratio';
    updateBar(cell.children[0], value ?? NaN, level(value, signal));
    updateFigure(cell.children[1], quantity(value, result?.unit ?? ''));
    setAttr(cell, 'title', signal ? [signal.title, signal.caveat].filter(Boolean).join('\n') : `${head}: ${absentTitle(alternatives[0], service)}`);
  });
}

/** The last value of a result's worst series. */
export function latestOf(result) {
  const all = (result?.series ?? []).map(({values, low, high}) => ({value: values.at(-1) ?? null, low: low?.at(-1), high: high?.at(-1)}));
  return all.reduce((worst, entry) => (worst.value === null || entry.value > worst.value ? entry : worst), {value: null});
}

function countText(value) {
  const shown = quantity(value, 'count');
  return `${shown.text}${shown.unit}`;
}

/** Amber beyond the healthy range. */
function level(value, signal) {
  const high = signal?.healthy?.high;
  return value !== null && high !== null && high !== undefined && value > high ? 'high' : '';
}
