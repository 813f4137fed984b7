/** A panel: title in plain words, the value now, the curve, and behind it the query, one click away. */

import {Chart, nearest, pictureCsv, pictureTable} from './chart.js';
import {actionButton, copy, download, h, setAttr, setText} from './dom.js';
import {boundedQuantity, clock} from './format.js';
import {figure, updateFigure} from './marks.js';
import {newQuery, format as placeUrl} from './state.js';

/** More lines than this can't be told apart; the rest are counted. */
const MAX_LINES = 24;
/** Of more lines than this the title names only the highest. */
const MAX_NAMED = 4;
const PLOT_HEIGHT = 148;
const MAX_TABLE_ROWS = 400;
const PALETTE = ['--s0', '--s1', '--s2', '--s3', '--s4', '--s5', '--s6', '--s7'];

/** Gives each thing drawn a colour and keeps to it on all panels of a page. */
export class Colours {
  constructor() {
    this.taken = new Map();
  }

  /** @param {string} key @returns {string} */
  of(key) {
    if (!this.taken.has(key)) {
      this.taken.set(key, PALETTE[this.taken.size % PALETTE.length]);
    }
    return this.taken.get(key);
  }
}

/**
 * What the titles of several signals have in common, and what is left of each: "Time to first token" and "P50", "P95".
 *
 * @param {string[]} titles
 * @returns {{title: string, labels: string[]}}
 */
export function commonTitle(titles) {
  if (titles.length === 1) {
    return {title: titles[0], labels: ['']};
  }
  const words = titles.map((title) => title.split(' '));
  const longest = Math.max(...words.map((list) => list.length)) - 1;
  const plain = (word) => word?.replace(/,$/, '');
  let shared = 0;
  while (shared < longest && words.every((list) => plain(list[shared]) === plain(words[0][shared]))) {
    shared += 1;
  }
  return shared === 0 ? commonEnd(titles) : {title: bare(words[0].slice(0, shared)), labels: words.map((list) => list.slice(shared).join(' ') || 'all')};
}

/** "Running requests" and "Waiting requests" are "Requests", "Running" and "Waiting". */
function commonEnd(titles) {
  const words = titles.map((title) => title.split(' '));
  let shared = 0;
  while (words.every((list) => shared < list.length - 1 && list.at(-1 - shared) === words[0].at(-1 - shared))) {
    shared += 1;
  }
  if (shared === 0) {
    return {title: titles.join(' · '), labels: titles};
  }
  const title = words[0].slice(-shared).join(' ');
  return {title: title[0].toUpperCase() + title.slice(1), labels: words.map((list) => list.slice(0, -shared).join(' '))};
}

function bare(words) {
  return words.join(' ').replace(/[,:]$/, '');
}

/**
 * Names of series: the shortest label that tells them all apart, else those in which they differ.
 *
 * @param {Record<string, string>[]} all
 * @returns {string[]}
 */
export function seriesNames(all) {
  if (all.length < 2 && Object.keys(all[0] ?? {}).length === 0) {
    return all.map(() => '');
  }
  const keys = [...new Set(all.flatMap(Object.keys))];
  const differing = all.length === 1 ? keys : keys.filter((key) => all.some((labels) => labels[key] !== all[0][key]));
  const telling = differing
    .filter((key) => new Set(all.map((labels) => labels[key])).size === all.length)
    .sort((a, b) => lengthOf(all, a) - lengthOf(all, b));
  const chosen = telling.length > 0 ? telling.slice(0, 1) : differing;
  const nameOf = (labels) => {
    const pairs = chosen.filter((key) => labels[key]).map((key) => [key, labels[key]]);
    if (pairs.length === 1) {
      const [key, value] = pairs[0];
      return /^\d+$/.test(value) ? `${key} ${value}` : value;
    }
    return pairs.map(([, value]) => value).join(' ');
  };
  return all.map(nameOf);
}

function lengthOf(all, key) {
  return all.reduce((sum, labels) => sum + (labels[key]?.length ?? 0), 0);
}

/**
 * @typedef {object} PanelContext
 * @property {import('./state.js').Navigator} nav
 * @property {import('./chart.js').CursorGroup} group
 * @property {Colours} colours
 */

export class Panel {
  /**
   * @param {object} what
   * @param {string} what.id stands in the URL when the panel is open
   * @param {string} what.service
   * @param {import('./types.js').Signal[]} what.signals on one pair of axes, so of one unit
   * @param {string} [what.suffix] tells panels of the same signals apart, such as the GPU service's name
   * @param {PanelContext} context
   */
  constructor({id, service, signals, suffix = ''}, context) {
    this.id = id;
    this.service = service;
    this.signals = signals;
    this.context = context;
    this.unit = signals[0].unit;
    const {title, labels} = commonTitle(signals.map((signal) => signal.title));
    this.title = title;
    this.shortNames = labels;
    this.suffix = suffix;
    this.results = [];
    this.picture = null;
    this.chart = null;
    this.hidden = 0;
    /** All lines, also those that aren't drawn. */
    this.all = [];
    this.build();
  }

  get layer() {
    return this.signals[0].layer;
  }

  build() {
    this.now = figure();
    this.nowLabel = h('span', {class: 'now-label'});
    this.drawn = h('span', {class: 'drawn muted'});
    this.plot = h('div', {class: 'plot', tabindex: 0, role: 'img'});
    this.details = h('div', {class: 'details', hidden: true});
    this.menu = h('button', {type: 'button', class: 'icon', 'aria-expanded': 'false', title: 'Query, table, CSV', 'aria-label': `Query and table of ${this.title}`, onclick: () => this.toggle()}, '⋯');
    this.caveat = h('p', {class: 'caveat', hidden: true});
    this.node = h(
      'section',
      {class: 'panel', 'data-panel': this.id, 'data-layer': this.layer},
      h('header', {}, h('h3', {title: this.meaning()}, this.title, this.suffix && h('span', {class: 'muted'}, ` ${this.suffix}`)), this.caveatButton(), this.drawn, h('span', {class: 'now'}, this.nowLabel, this.now), this.menu),
      this.caveat,
      this.plot,
      this.details,
    );
    this.plot.addEventListener('keydown', (event) => this.stepCursor(event));
    setText(this.caveat, this.caveats().join(' '));
    if (this.context.nav.place.open.includes(this.id)) {
      this.open(true);
    }
  }

  meaning() {
    return [...new Set(this.signals.map((signal) => signal.meaning))].join(' ');
  }

  caveats() {
    return [...new Set(this.signals.map((signal) => signal.caveat).filter(Boolean))];
  }

  caveatButton() {
    if (this.caveats().length === 0) {
      return null;
    }
    const button = h('button', {type: 'button', class: 'icon caveat-mark', 'aria-expanded': 'false', 'aria-label': `How ${this.title} can mislead`, title: this.caveats().join(' ')}, '!');
    button.addEventListener('click', () => {
      this.caveat.hidden = !this.caveat.hidden;
      setAttr(button, 'aria-expanded', String(!this.caveat.hidden));
    });
    return button;
  }

  /** Of several quantiles only one is split by replica: more lines than that say nothing. */
  asked(split) {
    const p95 = split ? this.signals.find((signal) => signal.name.endsWith('_p95')) : undefined;
    return p95 && this.signals.length > 1 ? [p95] : this.signals;
  }

  /** @returns {{service: string, signals: string[], by?: string[]}} */
  request(split) {
    const names = this.asked(split).map((signal) => signal.name);
    this.split = split;
    return split ? {service: this.service, signals: names, by: ['instance']} : {service: this.service, signals: names};
  }

  /**
   * @param {import('./types.js').Window} window
   * @param {{times: number[], results: import('./types.js').SignalResult[]}} answer
   */
  show(window, {times, results}) {
    this.results = results;
    const fed = results.filter((result) => result.quality !== 'absent');
    if (fed.length === 0) {
      this.showAbsent(results.map((result) => result.reason).filter(Boolean)[0] ?? 'Nothing exposes it here.');
      return;
    }
    const lines = this.lines(results, times);
    if (lines.every((line) => line.values.every((value) => value === null))) {
      this.showAbsent(this.quietReason(results), {times, lines, unit: this.unit, goal: null, window});
      return;
    }
    const goal = results.find((result) => result.goal !== null && result.goal !== undefined)?.goal ?? null;
    this.showPicture({times, lines, unit: this.unit, goal, window});
  }

  quietReason(results) {
    return results.map((result) => result.reason).filter(Boolean)[0] ?? 'No value in this range.';
  }

  lines(results) {
    const many = results.filter((result) => result.quality !== 'absent').length > 1;
    const all = results.flatMap((result, i) => {
      const names = seriesNames(result.series.map((series) => series.labels));
      return result.series.map((series, j) => this.line(result, series, many ? this.shortNames[i] : '', names[j], i));
    });
    this.hidden = Math.max(0, all.length - MAX_LINES);
    this.all = all;
    setText(this.drawn, this.hidden > 0 ? `${MAX_LINES} of ${all.length} drawn` : '');
    return this.hidden === 0 ? all : all.sort((a, b) => peak(b.values) - peak(a.values)).slice(0, MAX_LINES);
  }

  /** @returns {import('./chart.js').Line} */
  line(result, series, signalName, seriesName, index) {
    const label = [signalName, seriesName].filter(Boolean).join(' ');
    const bounded = !signalName || /^P95$/i.test(signalName);
    const estimated = result.quality === 'estimated' || result.quality === 'proxy';
    const color = seriesName && result.series.length > 1 ? this.context.colours.of(seriesName) : this.signals.length > 1 ? lineColor(signalName, index, this.layer) : `--${this.layer}`;
    return {label: label || this.title, color, values: series.values, low: series.low, high: series.high, banded: bounded && result.series.length === 1, dashed: estimated};
  }

  showPicture(picture) {
    this.picture = picture;
    if (this.chart === null) {
      this.plot.replaceChildren();
      this.plot.classList.remove('absent');
      this.chart = new Chart(this.plot, this.context.group, PLOT_HEIGHT);
    }
    this.chart.show(picture);
    this.showValue();
    this.showDetails();
    setAttr(this.node, 'data-absent', null);
  }

  showAbsent(reason, picture = null) {
    this.picture = picture;
    this.chart?.destroy();
    this.chart = null;
    this.plot.classList.add('absent');
    this.plot.replaceChildren(h('span', {class: 'reason'}, reason));
    updateFigure(this.now, {text: '–', unit: ''});
    setText(this.nowLabel, '');
    setAttr(this.plot, 'aria-label', `${this.title}: ${reason}`);
    setAttr(this.node, 'data-absent', true);
    this.showDetails();
  }

  /** The value at the cursor, or now, of the line that matters most. */
  showValue() {
    const entry = this.primary();
    if (entry === null) {
      return;
    }
    updateFigure(this.now, entry.quantity);
    const subset = this.results.length < this.signals.length ? 'P95 ' : '';
    setText(this.nowLabel, subset + (this.picture.lines.length > 1 ? entry.label : ''));
    setAttr(this.node, 'data-over', this.picture.goal !== null && entry.value > this.picture.goal);
    setAttr(this.plot, 'aria-label', `${this.title} ${entry.label}: ${entry.quantity.text} ${entry.quantity.unit}`);
  }

  primary() {
    const values = this.valuesAtCursor();
    if (values.length > MAX_NAMED) {
      const highest = values.reduce((max, entry) => (entry.value > (max.value ?? -Infinity) ? entry : max));
      return {...highest, label: `highest: ${highest.label}`};
    }
    return values.find((entry) => /p95/i.test(entry.label)) ?? values[0] ?? null;
  }

  /** @returns {{label: string, color: string, value: number|null, quantity: import('./format.js').Quantity}[]} */
  valuesAtCursor() {
    if (this.picture === null) {
      return [];
    }
    const {times, unit} = this.picture;
    const time = this.context.group.time;
    return this.all.map((line) => {
      const at = time === null ? latest(line.values) : nearest(times, time);
      const value = at < 0 ? null : line.values[at];
      return {label: line.label, color: line.color, value, quantity: boundedQuantity(value, unit, line.low?.[at], line.high?.[at])};
    });
  }

  toggle() {
    const isOpen = this.details.hidden;
    this.context.nav.toggleOpen(this.id, isOpen);
    this.open(isOpen);
  }

  open(isOpen) {
    this.details.hidden = !isOpen;
    setAttr(this.menu, 'aria-expanded', String(isOpen));
    this.shownDetails = null;
    this.showDetails();
  }

  showDetails() {
    if (this.details.hidden || this.results.length === 0) {
      return;
    }
    const key = `${this.results.map((result) => result.query).join()} ${this.picture?.times.at(-1)} ${this.picture?.lines.length}`;
    if (key !== this.shownDetails && !this.details.contains(document.activeElement)) {
      this.shownDetails = key;
      this.details.replaceChildren(h('p', {}, this.meaning()), ...this.results.map((result) => this.queryOf(result)), ...this.table());
    }
  }

  queryOf(result) {
    const name = this.shortNames[this.signals.findIndex((signal) => signal.name === result.signal)] || this.title;
    if (result.query === null) {
      return h('p', {class: 'muted'}, `${name}: ${result.reason ?? 'absent'}`);
    }
    const place = this.context.nav.elsewhere('query', {queries: [newQuery(result.query, {view: 'graph'})], to: this.context.nav.place.to});
    return h(
      'div',
      {class: 'query-of'},
      h('div', {class: 'line'}, h('b', {}, name), h('span', {class: 'quality'}, result.quality), actionButton('Copy PromQL', 'Copied', () => copy(result.query)), h('a', {class: 'button small', href: placeUrl(place), 'data-nav': true}, 'Open in Query')),
      h('code', {}, result.query),
      result.reason && h('p', {class: 'muted'}, result.reason),
    );
  }

  table() {
    if (this.picture === null) {
      return [];
    }
    const shown = {...this.picture, times: this.picture.times.slice(-MAX_TABLE_ROWS), lines: this.picture.lines.map((line) => ({...line, values: line.values.slice(-MAX_TABLE_ROWS)}))};
    const csv = actionButton('CSV', 'Saved', () => download(`${this.id}.csv`, 'text/csv', pictureCsv(this.picture)));
    const note = this.hidden > 0 ? h('span', {class: 'muted'}, `${this.hidden} more series aren't drawn; the query has them all.`) : null;
    return [h('div', {class: 'line'}, csv, note), h('div', {class: 'scroll', tabindex: 0}, pictureTable(shown, clock))];
  }

  /** Arrow keys move the pinned cursor by one sample. */
  stepCursor(event) {
    const by = {ArrowLeft: -1, ArrowRight: 1}[event.key];
    if (by === undefined || this.picture === null) {
      return;
    }
    event.preventDefault();
    const {times} = this.picture;
    const at = this.context.group.time === null ? times.length - 1 : nearest(times, this.context.group.time) + by;
    this.context.group.does.pin(times[Math.min(times.length - 1, Math.max(0, at))]);
  }

  destroy() {
    this.chart?.destroy();
    this.node.remove();
  }
}

function peak(values) {
  return values.reduce((max, value) => Math.max(max, value ?? -Infinity), -Infinity);
}

function latest(values) {
  for (let i = values.length - 1; i >= 0; i--) {
    if (values[i] !== null && values[i] !== undefined) {
      return i;
    }
  }
  return -1;
}

/** Quantiles have a colour each, the same on every panel; other lines take the palette in order. */
function lineColor(name, index, layer) {
  const quantiles = {P50: '--s7', P90: '--s2', P95: `--${layer}`, P99: '--s5'};
  return quantiles[name.toUpperCase()] ?? (index === 0 ? `--${layer}` : PALETTE[index % PALETTE.length]);
}
