/** A heat map of a quantity of the requests over time, from the buckets behind its quantiles. */

import {asSentence} from './absence.js';
import {nearest} from './chart.js';
import {actionButton, copy, download, h, setAttr, setText} from './dom.js';
import {duration, format, moment, percent} from './format.js';
import {HeatMap, boundLabel} from './heatmap.js';
import {worthShowing} from './histograms.js';
import {commonTitle} from './names.js';
import {newQuery, format as placeUrl} from './state.js';

const HEIGHT = 220;

/**
 * Columns of buckets from series that have a rate for each upper edge.
 *
 * @param {import('./types.js').SignalSeries[]} series labelled `le`, not cumulative
 * @param {number} length
 * @param {number} seconds that a column stands for: rates become counts
 * @returns {(import('./histograms.js').Bucket[]|null)[]}
 */
export function bucketColumns(series, length, seconds) {
  const byEdge = new Map();
  for (const {labels, values} of series) {
    const edge = edgeOf(labels.le);
    if (!Number.isNaN(edge)) {
      byEdge.set(edge, [...(byEdge.get(edge) ?? []), values]);
    }
  }
  const edges = [...byEdge.keys()].sort((a, b) => a - b);
  if (edges.length < 2) {
    return new Array(length).fill(null);
  }
  return Array.from({length}, (_, i) => {
    const column = edges.map((high, at) => ({low: at > 0 ? edges[at - 1] : high > 0 ? 0 : -Infinity, high, count: sumAt(byEdge.get(high), i), rule: 0}));
    const known = column.filter(({count}) => count !== null);
    return known.length === 0 ? null : column.map((bucket) => ({...bucket, count: Math.max(0, bucket.count ?? 0) * seconds}));
  });
}

/** The axis of seconds says its unit by itself. */
function unitWord(unit) {
  return unit === 'seconds' ? '' : h('span', {class: 'muted'}, ` ${unit}`);
}

function edgeOf(le) {
  return le === undefined ? NaN : /^\+?Inf$/i.test(le) ? Infinity : Number(le);
}

function sumAt(lists, i) {
  return lists.reduce((sum, values) => (values[i] === null || values[i] === undefined ? sum : (sum ?? 0) + values[i]), null);
}

export class HeatPanel {
  /**
   * @param {{base: string, service: string, signal: import('./types.js').Signal}} what
   * @param {import('./panel.js').PanelContext} context
   */
  constructor({base, service, signal}, context) {
    this.id = `heat.${base}`;
    this.service = service;
    this.signal = signal;
    this.context = context;
    this.title = commonTitle([signal.title, signal.title.replace(/P\d+$/, '')]).title;
    this.key = '';
    this.map = null;
    this.picture = null;
    this.build();
  }

  build() {
    this.plot = h('div', {class: 'heat'});
    this.details = h('div', {class: 'details', hidden: true});
    this.menu = h('button', {type: 'button', class: 'icon menu', 'aria-expanded': 'false', title: 'Query, table, CSV', 'aria-label': `Query and table of the heat map of ${this.title}`, onclick: () => this.toggle()}, '⋯');
    this.total = h('span', {class: 'now muted'});
    this.node = h('section', {class: 'panel heat-panel', 'data-panel': this.id, 'data-layer': this.signal.layer}, h('header', {}, h('h3', {title: this.signal.meaning}, this.title, unitWord(this.signal.unit)), this.total, this.menu), this.plot, this.details);
    if (this.context.nav.place.open.includes(this.id)) {
      this.open(true);
    }
  }

  /** Columns stand on whole steps: between two of them there is nothing to ask. */
  async refresh(client, window, abort) {
    const key = `${window.start}/${window.end}/${window.step}`;
    if (key !== this.key) {
      const {times, results} = await client.buckets({service: this.service, signals: [this.signal.name]}, window, abort);
      this.key = key;
      this.show(window, times, results[0]);
    }
  }

  show(window, times, result) {
    this.result = result;
    const columns = bucketColumns(result.series, times.length, window.step);
    const total = columns.reduce((sum, column) => sum + (column ?? []).reduce((all, {count}) => all + count, 0), 0);
    if (!(total > 0)) {
      this.showNothing(result.reason ?? (result.series.length === 0 ? 'No request ended in this range, or it exposes quantiles without buckets' : 'No request ended in this range'));
      return;
    }
    if (this.map === null) {
      this.plot.classList.remove('plot', 'absent');
      this.map = new HeatMap(this.plot, this.context.group, HEIGHT);
    }
    const each = duration(window.step);
    this.picture = {times, columns, unit: this.signal.unit, window, counted: (count) => count === 0 ? `none in ${each}` : `about ${format(count < 10 ? Number(count.toPrecision(2)) : Math.round(count), 'count')} in ${each}`, legend: `requests in ${each}`};
    this.map.show(this.picture);
    setText(this.total, `about ${format(Math.round(total), 'count')} requests`);
    setAttr(this.node, 'data-absent', null);
    this.showDetails();
  }

  showNothing(reason) {
    this.map?.destroy();
    this.map = null;
    this.picture = null;
    this.plot.className = 'heat plot absent';
    this.plot.replaceChildren(h('div', {class: 'reason'}, h('p', {}, asSentence(reason))));
    setText(this.total, '');
    setAttr(this.node, 'data-absent', true);
    this.showDetails();
  }

  toggle() {
    const isOpen = this.details.hidden;
    this.context.nav.toggleOpen(this.id, isOpen);
    this.open(isOpen);
  }

  open(isOpen) {
    this.details.hidden = !isOpen;
    setAttr(this.menu, 'aria-expanded', String(isOpen));
    this.showDetails();
  }

  showDetails() {
    if (this.details.hidden || !this.result || this.details.contains(document.activeElement)) {
      return;
    }
    this.details.replaceChildren(...[h('p', {}, this.signal.meaning), this.queryLine(), ...this.table()].filter(Boolean));
  }

  queryLine() {
    const {query} = this.result;
    if (!query) {
      return null;
    }
    const {nav} = this.context;
    const place = nav.elsewhere('query', {queries: [newQuery(query, {view: 'heat'})], to: nav.place.to});
    return h('div', {class: 'query-of'}, h('div', {class: 'line'}, actionButton('Copy PromQL', 'Copied', () => copy(query)), h('a', {class: 'button small', href: placeUrl(place), 'data-nav': true}, 'Open in Query')), h('code', {}, query));
  }

  /** A row a bucket: at the cursor, and in the whole range. */
  table() {
    if (this.picture === null) {
      return [];
    }
    const {times, columns, unit} = this.picture;
    const {time} = this.context.group;
    const at = time === null ? columns.findLastIndex((column) => column !== null) : nearest(times, time);
    const sums = new Map();
    columns.forEach((column) => column?.forEach((bucket) => sums.set(bucket.high, {...bucket, count: (sums.get(bucket.high)?.count ?? 0) + bucket.count})));
    const total = [...sums.values()].reduce((all, {count}) => all + count, 0);
    const rows = worthShowing([...sums.values()]).map(({low, high, count}) => {
      const here = columns[at]?.find((bucket) => bucket.high === high)?.count ?? null;
      return h('tr', {}, h('th', {scope: 'row'}, `${boundLabel(low, unit)} to ${boundLabel(high, unit)}`), h('td', {}, format(here, 'count')), h('td', {}, format(count, 'count')), h('td', {}, `${percent(count / total)} %`));
    });
    const heads = ['Bucket', moment(times[at]), 'In the range', 'Share'].map((text) => h('th', {scope: 'col'}, text));
    const csv = actionButton('CSV', 'Saved', () => download(`${this.id}.csv`, 'text/csv', this.csv()), `CSV of the heat map of ${this.title}`);
    return [h('div', {class: 'line'}, csv), h('div', {class: 'scroll', tabindex: 0, role: 'region', 'aria-label': `Buckets of ${this.title}`}, h('table', {class: 'values'}, h('thead', {}, h('tr', {}, heads)), h('tbody', {}, rows)))];
  }

  csv() {
    const {times, columns} = this.picture;
    const lines = columns.flatMap((column, i) => (column ?? []).map(({low, high, count}) => `${new Date(times[i] * 1000).toISOString()},${low},${high},${count}`));
    return ['time,low,high,count', ...lines, ''].join('\r\n');
  }

  repaint() {
    this.map?.repaint();
  }

  destroy() {
    this.map?.destroy();
    this.node.remove();
  }
}
