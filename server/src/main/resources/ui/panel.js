/** A panel: title in plain words, the value now, the curve, and behind it the query, one click away. */

import {asSentence, fixLine} from './absence.js';
import {Chart, nearest} from './chart.js';
import {h, setAttr, setText} from './dom.js';
import {boundedQuantity, boundsWords} from './format.js';
import {figure, updateFigure} from './marks.js';
import {commonTitle, seriesNames} from './names.js';
import {PanelDetails, QUALITY_WORDS, qualityTitle} from './panel-details.js';

/** More lines than this can't be told apart; the rest are counted. */
const MAX_LINES = 24;
/** Of more lines than this the title names only the highest. */
const MAX_NAMED = 4;
const PLOT_HEIGHT = 148;
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
   * @param {(labels: Record<string, string>) => boolean} [what.pick] which series belong to it; all if left out
   * @param {import('./types.js').Absent[]} [what.absent] what the service says of what it lacks
   * @param {number|null} [what.threshold] a line in place of the goal: what a diagnosis held the values against
   * @param {PanelContext} context
   */
  constructor({id, service, signals, suffix = '', pick = null, absent = [], threshold = null}, context) {
    this.id = id;
    this.service = service;
    this.signals = signals;
    this.context = context;
    this.unit = signals[0].unit;
    const {title, labels} = commonTitle(signals.map((signal) => signal.title));
    this.title = title;
    this.shortNames = labels;
    this.suffix = suffix;
    this.pick = pick;
    this.absent = absent;
    this.threshold = threshold;
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
    this.plot = h('div', {class: 'plot', tabindex: 0, role: 'img', 'aria-label': this.title});
    this.details = new PanelDetails(this);
    this.quality = h('span', {class: 'quality', hidden: true});
    this.menu = h('button', {type: 'button', class: 'icon menu', 'aria-expanded': 'false', title: 'Query, bounds, table, CSV', 'aria-label': `Query, bounds and table of ${this.title}`, onclick: () => this.toggle()}, '⋯');
    this.caveat = h('p', {class: 'caveat', hidden: true});
    this.node = h(
      'section',
      {class: 'panel', 'data-panel': this.id, 'data-layer': this.layer},
      h('header', {}, h('h3', {title: this.meaning()}, this.title, this.suffix && h('span', {class: 'muted'}, ` ${this.suffix}`)), this.caveatButton(), this.quality, this.drawn, h('span', {class: 'now'}, this.nowLabel, this.now), this.menu),
      this.caveat,
      this.plot,
      this.details.node,
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
  show(window, {times, results: all}) {
    const {pick} = this;
    const results = pick === null ? all : all.map((result) => ({...result, series: result.series.filter((series) => pick(series.labels))}));
    this.results = results;
    this.showQuality(results);
    const fed = results.filter((result) => result.quality !== 'absent');
    if (fed.length === 0) {
      const {reason, fix} = this.absenceOf(results[0]);
      this.showAbsent(reason, fix);
      return;
    }
    const lines = this.lines(results);
    if (!lines.some(hasValue)) {
      this.showAbsent(this.quietReason(results), null, {times, lines, unit: this.unit, goal: null, window});
      return;
    }
    this.showPicture({times, lines, unit: this.unit, ...this.limit(results), window});
  }

  /** Draws another threshold, or the goal again. */
  setThreshold(threshold) {
    if (threshold !== this.threshold) {
      this.threshold = threshold;
      if (this.chart !== null) {
        this.picture = {...this.picture, ...this.limit(this.results)};
        this.chart.show(this.picture);
      }
    }
  }

  /** The line that values are held against: a diagnosis's threshold, else the goal. */
  limit(results) {
    if (this.threshold !== null) {
      return {goal: this.threshold, goalWord: 'threshold'};
    }
    return {goal: results.find((result) => result.goal !== null && result.goal !== undefined)?.goal ?? null, goalWord: 'goal'};
  }

  /** What isn't measured is named: an estimate or a stand-in. */
  showQuality(results) {
    const worst = ['proxy', 'estimated'].map((quality) => results.find((result) => result.quality === quality)).find(Boolean);
    this.quality.hidden = worst === undefined;
    setText(this.quality, worst ? QUALITY_WORDS[worst.quality] : '');
    setAttr(this.quality, 'title', worst ? qualityTitle(worst) : null);
  }

  /** Why a signal is absent, and the line that would bring it. */
  absenceOf({signal, reason}) {
    const known = this.absent.find((entry) => entry.signal === signal);
    return {reason: reason ?? known?.reason ?? 'Nothing exposes it here.', fix: known?.fix ?? null};
  }

  nameOf({signal}) {
    return this.shortNames[this.signals.findIndex(({name}) => name === signal)] ?? '';
  }

  quietReason(results) {
    return results.map((result) => result.reason).filter(Boolean)[0] ?? 'No value in this range.';
  }

  lines(results) {
    const many = results.filter((result) => result.quality !== 'absent').length > 1;
    const all = results.flatMap((result, i) => {
      // What was picked as one thing needs no name of its own.
      const names = this.pick !== null && result.series.length === 1 ? [''] : seriesNames(result.series.map((series) => series.labels));
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
    const edged = this.signals[index]?.kind === 'bounds';
    const bounded = edged || !signalName || /^P95$/i.test(signalName);
    const dashed = result.quality === 'estimated' || result.quality === 'proxy';
    const color = seriesName && result.series.length > 1 ? this.context.colours.of(seriesName) : this.signals.length > 1 ? lineColor(signalName, index, this.layer) : `--${this.layer}`;
    return {label: label || this.title, color, values: series.values, low: series.low, high: series.high, counts: series.counts, banded: bounded && result.series.length === 1, edged, dashed};
  }

  showPicture(picture) {
    this.picture = picture;
    if (this.chart === null) {
      this.plot.replaceChildren();
      this.plot.classList.remove('absent');
      delete this.plot.dataset.reason;
      this.chart = new Chart(this.plot, this.context.group, PLOT_HEIGHT);
    }
    this.chart.show(picture);
    this.showValue();
    this.details.show();
    setAttr(this.node, 'data-absent', null);
  }

  showAbsent(reason, fix, picture = null) {
    this.picture = picture;
    this.chart?.destroy();
    this.chart = null;
    this.plot.classList.add('absent');
    const key = `${reason} ${fix}`;
    if (this.plot.dataset.reason !== key) {
      this.plot.dataset.reason = key;
      this.plot.replaceChildren(h('div', {class: 'reason'}, h('p', {}, asSentence(reason)), fix && fixLine(fix)));
    }
    updateFigure(this.now, {text: '–', unit: ''});
    setText(this.nowLabel, '');
    setAttr(this.plot, 'aria-label', `${this.title}: ${reason}`);
    setAttr(this.node, 'data-absent', true);
    this.details.show();
  }

  /** The cursor stands elsewhere: only numbers change. */
  showAtCursor() {
    this.showValue();
    this.details.showCursor();
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
    setAttr(this.now, 'title', entry.bounds === '' ? null : `The true value lies ${entry.bounds}.`);
    setAttr(this.node, 'data-over', this.picture.goal !== null && this.picture.goalWord !== 'threshold' && entry.value > this.picture.goal);
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
      const at = time === null ? this.latestOf(line) : nearest(times, time);
      const [value, low, high] = [line.values[at] ?? null, line.low?.[at], line.high?.[at]];
      return {label: line.label, color: line.color, value, quantity: boundedQuantity(value, unit, low, high), bounds: boundsWords(unit, low, high)};
    });
  }

  /** Where a line ends that may have bounds only. */
  latestOf(line) {
    return latest(line.edged ? line.low ?? line.values : line.values);
  }

  toggle() {
    const isOpen = this.details.node.hidden;
    this.context.nav.toggleOpen(this.id, isOpen);
    this.open(isOpen);
  }

  open(isOpen) {
    this.details.node.hidden = !isOpen;
    setAttr(this.menu, 'aria-expanded', String(isOpen));
    this.details.shown = null;
    this.details.show();
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

function hasValue({values, low}) {
  const is = (value) => value !== null && value !== undefined;
  return values.some(is) || (low?.some(is) ?? false);
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
