/** What stands behind a panel, on demand: query, window, samples, bounds at the cursor, the values as table and CSV. */

import {nearest, pictureCsv, pictureTable} from './chart.js';
import {asSentence, fixLine} from './absence.js';
import {actionButton, copy, download, h, reconcile, setText} from './dom.js';
import {boundedQuantity, boundsWords, clock, duration, format, moment} from './format.js';
import {newQuery, format as placeUrl} from './state.js';

const MAX_TABLE_ROWS = 400;
const MAX_AT_CURSOR = 12;

/** How far a value can be trusted, in the words of the pages. */
export const QUALITY_WORDS = {exact: 'measured', derived: 'computed', estimated: 'estimate', proxy: 'stand-in', absent: 'absent'};

const QUALITY_MEANS = {
  exact: 'The service measures this very quantity.',
  derived: 'Computed from measured quantities without an assumption.',
  estimated: 'Computed with an assumption.',
  proxy: 'Another quantity that moves with the one meant.',
};

/** Seconds over which rates are taken: as the server says, or as its query does. */
export function windowSeconds(result) {
  if (Number.isFinite(result.window)) {
    return result.window;
  }
  const match = /\[(\d+)(ms|s|m|h|d)[\]:]/.exec(result.query ?? '');
  return match ? Number(match[1]) * {ms: 1e-3, s: 1, m: 60, h: 3600, d: 86400}[match[2]] : null;
}

/** @returns {string} how good a value is, with what is to be known of it */
export function qualityTitle(result) {
  return [QUALITY_MEANS[result.quality], result.reason && asSentence(result.reason)].filter(Boolean).join(' ');
}

export class PanelDetails {
  /** @param {import('./panel.js').Panel} panel */
  constructor(panel) {
    this.panel = panel;
    this.node = h('div', {class: 'details', hidden: true});
    this.cursor = h('tbody');
    this.cursorTime = h('caption');
    this.shown = null;
  }

  show() {
    const {results, picture} = this.panel;
    if (this.node.hidden || results.length === 0) {
      return;
    }
    const key = `${results.map((result) => result.query).join()} ${picture?.times.at(-1)} ${picture?.lines.length}`;
    if (key !== this.shown && !this.node.contains(document.activeElement)) {
      this.shown = key;
      this.node.replaceChildren(h('p', {}, this.panel.meaning()), ...this.panel.caveats().map((caveat) => h('p', {class: 'caveat'}, caveat)), ...results.map((result) => this.queryOf(result)), ...this.values());
    }
    this.showCursor();
  }

  queryOf(result) {
    const {panel} = this;
    const name = panel.nameOf(result) || panel.title;
    if (result.query === null) {
      const {reason, fix} = panel.absenceOf(result);
      return h('div', {class: 'query-of'}, h('p', {class: 'muted'}, h('b', {}, name), ` ${asSentence(reason)}`), fix && fixLine(fix));
    }
    const {nav} = panel.context;
    const place = nav.elsewhere('query', {queries: [newQuery(result.query, {view: 'graph'})], to: nav.place.to});
    const seconds = windowSeconds(result);
    const facts = [seconds !== null && `over ${duration(seconds)}`, result.series.length > 1 && `${result.series.length} series`, result.counts && `counts ${result.counts}`].filter(Boolean);
    return h(
      'div',
      {class: 'query-of'},
      h('div', {class: 'line'}, h('b', {}, name), h('span', {class: 'quality', title: qualityTitle(result)}, QUALITY_WORDS[result.quality] ?? result.quality), h('span', {class: 'muted window'}, facts.join(', ')), actionButton('Copy PromQL', 'Copied', () => copy(result.query)), h('a', {class: 'button small', href: placeUrl(place), 'data-nav': true}, 'Open in Query')),
      h('code', {}, result.query),
      result.reason && h('p', {class: 'muted'}, asSentence(result.reason)),
    );
  }

  values() {
    const {panel} = this;
    const {picture} = panel;
    if (picture === null) {
      return [];
    }
    const tail = (list) => list?.slice(-MAX_TABLE_ROWS);
    const shown = {...picture, times: tail(picture.times), lines: picture.lines.map((line) => ({...line, values: tail(line.values), low: tail(line.low), high: tail(line.high)}))};
    const csv = actionButton('CSV', 'Saved', () => download(`${panel.id}.csv`, 'text/csv', pictureCsv(picture)), `CSV of ${panel.title}`);
    const note = panel.hidden > 0 ? h('span', {class: 'muted'}, `${panel.hidden} more series aren't drawn; the query has them all.`) : null;
    const heads = ['Series', 'Value', 'True value', 'Samples'].map((text) => h('th', {scope: 'col'}, text));
    return [
      h('div', {class: 'scroll'}, h('table', {class: 'values at-cursor'}, this.cursorTime, h('thead', {}, h('tr', {}, heads)), this.cursor)),
      h('div', {class: 'line'}, csv, note),
      h('div', {class: 'scroll', tabindex: 0, role: 'region', 'aria-label': `Values of ${panel.title}`}, pictureTable(shown, clock)),
    ];
  }

  /** Value, bounds and number of observations at the cursor. */
  showCursor() {
    const {panel} = this;
    const {picture} = panel;
    if (this.node.hidden || picture === null) {
      return;
    }
    const {time} = panel.context.group;
    setText(this.cursorTime, time === null ? 'Now' : `At ${moment(time)}`);
    const {unit, times} = picture;
    reconcile(
      this.cursor,
      panel.all.slice(0, MAX_AT_CURSOR),
      (line) => line.label,
      () => h('tr', {}, h('th', {scope: 'row'}), h('td'), h('td'), h('td')),
      (row, line) => {
        const at = time === null ? panel.latestOf(line) : nearest(times, time);
        const {text, unit: suffix} = boundedQuantity(line.values[at], unit, line.low?.[at], line.high?.[at]);
        const texts = [line.label, `${text} ${suffix}`.trim(), boundsWords(unit, line.low?.[at], line.high?.[at]) || '–', samplesText(line, at)];
        texts.forEach((cell, i) => setText(row.children[i], cell));
      },
    );
  }
}

/** How many observations a value stands on, where the server says so. */
function samplesText(line, at) {
  const count = line.counts?.[at];
  return count === null || count === undefined ? '–' : format(Math.round(count), 'count');
}
