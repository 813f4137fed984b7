/** The answer to a query as a table: one row a series, histograms with their buckets. */

import {h, setAttr, setText, svg} from './dom.js';
import {labelText, sample} from './format.js';
import {boundsText, nativeBuckets} from './histograms.js';

export const MAX_ROWS = 500;
const MAX_BARS = 64;
const BARS_WIDTH = 128;
const BARS_HEIGHT = 22;

/** A series' name and labels, each apart so that long ones can break. */
export function metricNode(labels) {
  const pairs = Object.entries(labels).filter(([name]) => name !== '__name__');
  return h('span', {class: 'metric'}, h('b', {}, labels.__name__ ?? ''), pairs.map(([name, value]) => h('span', {class: 'label'}, `${name}=`, h('span', {class: 'value'}, JSON.stringify(value)))), !labels.__name__ && pairs.length === 0 ? '{}' : null);
}

/**
 * @typedef {object} Row
 * @property {string} name
 * @property {() => Node|string} node the name for the page
 * @property {string} value for CSV
 * @property {() => Node|string} shown the value for the page
 */

/**
 * @param {{resultType: string, result: any}} data
 * @returns {Row[]}
 */
export function tableRows({resultType, result}) {
  switch (resultType) {
    case 'vector':
      return result.map(({metric, value, histogram}) => ({...named(metric), ...(value ? number(value[1]) : histogramCell(histogram[1]))}));
    case 'matrix':
      return result.map(({metric, values = [], histograms = []}) => {
        const lines = [...values, ...histograms.map(([time, histogram]) => [time, histogramText(histogram)])].sort((a, b) => a[0] - b[0]);
        const text = lines.map(([time, value]) => `${value} @${time}`).join('\n');
        return {...named(metric), value: text, shown: () => h('span', {class: 'samples'}, text)};
      });
    case 'scalar':
      return [{name: 'scalar', node: () => 'scalar', ...number(result[1])}];
    default:
      return [{name: 'string', node: () => 'string', value: result[1], shown: () => result[1]}];
  }
}

function named(metric) {
  return {name: labelText(metric), node: () => metricNode(metric)};
}

function number(text) {
  return {value: text, shown: () => sample(text)};
}

function histogramText({count, sum}) {
  return `histogram of ${sample(count)}, sum ${sample(sum)}`;
}

function histogramCell(histogram) {
  const buckets = nativeBuckets(histogram);
  const pairs = buckets.map((bucket) => `${boundsText(bucket, String)}:${bucket.count}`).join(' ');
  return {value: `count:${histogram.count} sum:${histogram.sum} ${pairs}`.trim(), shown: () => histogramNode(histogram, buckets)};
}

/** Count, sum and mean, a small drawing, and the buckets on demand. */
function histogramNode(histogram, buckets) {
  const mean = Number(histogram.sum) / Number(histogram.count);
  const numbers = [['count', histogram.count], ['sum', histogram.sum], ...(Number.isFinite(mean) ? [['mean', String(mean)]] : [])];
  return h(
    'div',
    {class: 'histogram'},
    h('div', {class: 'histogram-line'}, numbers.map(([what, text]) => h('span', {title: text}, h('span', {class: 'muted'}, `${what} `), sample(text))), bars(buckets)),
    buckets.length > 0 && h('details', {}, h('summary', {}, buckets.length === 1 ? '1 bucket' : `${buckets.length} buckets`), bucketTable(buckets)),
  );
}

function bucketTable(buckets) {
  const most = buckets.reduce((max, {count}) => Math.max(max, count), 0);
  const rows = buckets.map((bucket) => h('tr', {}, h('td', {}, boundsText(bucket, (bound) => sample(Number.isFinite(bound) ? String(bound) : bound > 0 ? '∞' : '−∞'))), h('td', {class: 'number'}, sample(String(bucket.count))), h('td', {}, h('span', {class: 'bar'}, h('span', {class: 'fill', style: {width: `${most > 0 ? (bucket.count / most) * 100 : 0}%`}})))));
  return h('table', {class: 'buckets'}, h('tbody', {}, rows));
}

/** The buckets' counts as bars of equal width; of very many, neighbours are added up. */
function bars(buckets) {
  const merged = Math.ceil(buckets.length / MAX_BARS) || 1;
  const counts = [];
  buckets.forEach(({count}, i) => (counts[Math.floor(i / merged)] = (counts[Math.floor(i / merged)] ?? 0) + Math.max(0, count)));
  const most = Math.max(...counts, 0);
  const width = BARS_WIDTH / Math.max(8, counts.length);
  const rects = counts.map((count, i) => {
    const height = most > 0 ? (count / most) * BARS_HEIGHT : 0;
    return svg('rect', {x: (i * width).toFixed(2), y: (BARS_HEIGHT - height).toFixed(2), width: Math.max(0.5, width - 0.75).toFixed(2), height: height.toFixed(2)});
  });
  return svg('svg', {class: 'histogram-bars', viewBox: `0 0 ${BARS_WIDTH} ${BARS_HEIGHT}`, width: BARS_WIDTH, height: BARS_HEIGHT, role: 'img', 'aria-label': `${counts.length} bars, one a bucket`}, rects);
}

/** The rows on the page. If the same series come again, only values change, so that focus and open buckets stay. */
export class ResultTable {
  constructor() {
    this.title = h('th', {scope: 'col'});
    this.body = h('tbody');
    this.node = h('div', {class: 'scroll'}, h('table', {class: 'rows results'}, h('thead', {}, h('tr', {}, this.title, h('th', {scope: 'col', class: 'number'}, 'Value'))), this.body));
    this.names = '';
    /** @type {string[]} */
    this.values = [];
  }

  /**
   * @param {string} resultType
   * @param {Row[]} rows
   */
  show(resultType, rows) {
    const shown = rows.slice(0, MAX_ROWS);
    const names = JSON.stringify(shown.map(({name}) => name));
    setText(this.title, resultType === 'vector' ? 'Series' : 'Result');
    if (names === this.names) {
      shown.forEach((row, i) => this.update(row, i));
    } else {
      this.names = names;
      this.body.replaceChildren(...shown.map((row) => h('tr', {tabindex: -1, 'data-row': true}, h('td', {class: 'series-name'}, row.node()), h('td', {class: 'number', title: titleOf(row)}, row.shown()))));
    }
    this.values = shown.map(({value}) => value);
  }

  update(row, i) {
    if (row.value !== this.values[i]) {
      const cell = this.body.children[i].lastElementChild;
      const isOpen = cell.querySelector('details[open]') !== null;
      cell.replaceChildren(row.shown());
      setAttr(cell, 'title', titleOf(row));
      cell.querySelector('details')?.toggleAttribute('open', isOpen);
    }
  }
}

/** The whole number where a cell shows it rounded. */
function titleOf({value}) {
  return value.length > 10 && value.length < 40 ? value : null;
}

/** @returns {string} the rows as CSV; what would be a formula in a spreadsheet isn't one */
export function tableCsv(rows) {
  return rows.map((row) => `${csvQuote(row.name)},${csvQuote(row.value)}`).join('\r\n');
}

function csvQuote(text) {
  const isNumber = text !== '' && !Number.isNaN(Number(text));
  return isNumber ? text : `"${text.replace(/^[=+\-@\t]/, "'$&").replaceAll('"', '""')}"`;
}
