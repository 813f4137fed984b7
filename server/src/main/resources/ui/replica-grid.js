/** The replicas of a service side by side: a row a replica, a small curve a quantity, all of a column on one scale. */

import {h, reconcile, setAttr, setText, svg} from './dom.js';
import {boundedQuantity, format} from './format.js';
import {COMPARED, firstFed} from './layout.js';
import {STATES, figure, known, sparkPath, stateShape, updateFigure} from './marks.js';
import {median, oddOnes, recentMean, replicaSentence} from './replicas.js';
import {withNow} from './series.js';
import {targetPath} from './state.js';

export const MAX_COMPARED = 100;
const WIDTH = 120;
const HEIGHT = 28;

export class ReplicaGrid {
  /**
   * @param {import('./types.js').Service} service
   * @param {any} context
   */
  constructor(service, context) {
    this.service = service;
    this.context = context;
    this.columns = COMPARED.map((column) => ({...column, signal: firstFed(column.of, service)}))
      .filter(({signal}) => signal !== null && context.vocabulary.has(signal))
      .filter(({signal}, i, all) => all.findIndex((other) => other.signal === signal) === i)
      .map((column) => ({...column, title: this.titleOf(column), unit: context.vocabulary.get(column.signal).unit}));
    this.key = '';
    this.build();
  }

  /** A stand-in is called what it is. */
  titleOf({title, of, signal}) {
    return signal === of[0] ? title : this.context.vocabulary.get(signal).title;
  }

  build() {
    this.says = h('p', {class: 'replica-says', 'aria-live': 'polite'});
    this.scales = this.columns.map(() => h('span', {class: 'muted scale'}));
    this.body = h('tbody');
    const heads = this.columns.map((column, i) => h('th', {scope: 'col', title: this.context.vocabulary.get(column.signal).title}, column.title, ' ', this.scales[i]));
    this.table = h('table', {class: 'replica-grid'}, h('caption', {class: 'visually-hidden'}, 'Replicas compared; each column has one scale, the grey line is the median of all.'), h('thead', {}, h('tr', {}, h('th', {scope: 'col'}, 'Replica'), heads)), this.body);
    this.node = h('section', {class: 'band replicas-band', 'data-layer': 'engine'}, h('h2', {}, 'Replicas'), this.says, h('div', {class: 'scroll replica-scroll', tabindex: 0, role: 'region', 'aria-label': 'Replicas compared'}, this.table));
  }

  /** @param {import('./types.js').Window} window @param {import('./types.js').Window} moment */
  async refresh(client, window, moment, abort) {
    if (this.columns.length === 0) {
      return;
    }
    const request = {service: this.service.id, signals: this.columns.map(({signal}) => signal), by: ['instance']};
    const key = `${window.start}/${window.end}/${window.step}`;
    const kept = key === this.key ? this.curves : client.signals(request, window, abort);
    const [curves, now] = await Promise.all([kept, client.signals(request, moment, abort)]);
    this.curves = curves;
    this.key = key;
    this.picture = withNow(curves, now);
    this.show();
  }

  show() {
    if (!this.picture) {
      return;
    }
    const {times} = this.picture;
    const until = this.context.group.time ?? times.at(-1);
    const at = times.findLastIndex((time) => time <= until);
    const byColumn = this.columns.map((column, i) => this.column(this.picture.results[i], column, until));
    const odd = byColumn.flatMap(({odd: found}) => found).sort((a, b) => b.severity - a.severity);
    const order = new Map(odd.toReversed().map((one, i) => [one.name, i + 1]));
    const names = [...new Set([...this.service.replicas.map(({instance}) => instance), ...byColumn.flatMap(({byName}) => [...byName.keys()])])];
    const sorted = names.sort((a, b) => (order.get(b) ?? 0) - (order.get(a) ?? 0)).slice(0, MAX_COMPARED);
    const compared = Math.max(0, ...byColumn.map(({rows}) => rows.filter(({value}) => value !== null).length));
    const more = names.length > MAX_COMPARED ? ` ${names.length - MAX_COMPARED} more aren't drawn.` : '';
    setText(this.says, replicaSentence(odd, compared) + more);
    setAttr(this.says, 'data-odd', odd.length > 0);
    byColumn.forEach(({top}, i) => setText(this.scales[i], top > 0 ? `0 to ${format(top, this.columns[i].unit)}` : ''));
    reconcile(this.body, sorted, (name) => name, () => this.row(), (row, name) => this.updateRow(row, name, byColumn, odd.filter((one) => one.name === name), at));
  }

  /** What one column needs: the curve of each replica, the scale, the middle curve and who is odd. */
  column(result, column, until) {
    const {times} = this.picture;
    const byName = new Map(result.series.map((series) => [series.labels.instance ?? '', series]));
    const rows = [...byName].map(([name, series]) => ({name, value: recentMean(times, series.values, until)}));
    const all = result.series.map(({values}) => values);
    const top = all.flat().reduce((most, value) => Math.max(most, value ?? 0), 0);
    const middle = times.map((_, i) => median(all.map((values) => values[i]).filter((value) => value !== null && value !== undefined)));
    return {byName, rows, top, middle, odd: oddOnes(rows, column, column.unit)};
  }

  row() {
    const cells = this.columns.map((column) =>
      h(
        'td',
        {'data-column': column.key, 'data-head': column.title},
        svg('svg', {class: 'small-multiple', viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: 'none', 'aria-hidden': 'true'}, svg('path', {class: 'middle', d: ''}), svg('path', {class: 'trend', d: ''})),
        figure(),
      ),
    );
    return h('tr', {tabindex: -1, 'data-row': true}, h('th', {scope: 'row'}, h('span', {class: 'replica-name'}), h('span', {class: 'odd-words'})), cells);
  }

  updateRow(row, name, byColumn, odd, at) {
    const replica = this.service.replicas.find(({instance}) => instance === name);
    const state = known(replica?.state ?? 'unknown');
    const head = row.querySelector('.replica-name');
    if (head.dataset.shown !== `${name} ${state}`) {
      head.dataset.shown = `${name} ${state}`;
      head.replaceChildren(stateShape(state), h('span', {class: 'visually-hidden'}, `${STATES[state].word}: `), h('a', {href: this.context.linkTo(targetPath(name)), 'data-nav': true}, name));
      setAttr(head, 'title', replica?.sentence ?? null);
    }
    setAttr(row, 'data-odd', odd.length > 0);
    setText(row.querySelector('.odd-words'), odd.map((one) => one.short).join(', '));
    setAttr(row.querySelector('.odd-words'), 'title', odd.map((one) => one.words).join('\n') || null);
    byColumn.forEach(({byName, top, middle}, i) => {
      const cell = row.children[i + 1];
      const series = byName.get(name);
      const y = (value) => HEIGHT - 1.5 - (value / (top || 1)) * (HEIGHT - 3);
      setAttr(cell, 'data-odd', odd.some((one) => one.key === this.columns[i].key));
      setAttr(cell.firstElementChild.children[0], 'd', byName.size > 1 ? sparkPath(middle, y, WIDTH) : '');
      setAttr(cell.firstElementChild.children[1], 'd', sparkPath(series?.values ?? [], y, WIDTH));
      updateFigure(cell.lastElementChild, boundedQuantity(series?.values[at], this.columns[i].unit, series?.low?.[at], series?.high?.[at]));
    });
  }
}
