/** The answer to a range query as curves with a legend, or as a heat map of one of its histograms. */

import {Chart, nearest, pictureCsv} from './chart.js';
import {h, setText} from './dom.js';
import {format, labelText, moment} from './format.js';
import {HeatMap} from './heatmap.js';
import {histogramsOf, unitOf} from './histograms.js';
import {seriesNames} from './names.js';
import {selectorsOf} from './promql-lexer.js';
import {metricNode} from './query-table.js';

export const MAX_DRAWN = 40;
const HEIGHT = 320;
const HEAT_HEIGHT = 360;
const COLOURS = ['--s0', '--s1', '--s2', '--s3', '--s4', '--s5', '--s6', '--s7'];

export function timesOf({start, end, step}) {
  return Array.from({length: Math.round((end - start) / step) + 1}, (_, i) => start + i * step);
}

/** Samples put on the grid of the window; what isn't there or isn't finite is a gap. Of histograms it is the count. */
function columnOf({values = [], histograms = []}, {start, step}, length) {
  const column = new Array(length).fill(null);
  const put = (time, text) => {
    const at = Math.round((time - start) / step);
    const value = Number(text);
    if (at >= 0 && at < length && Number.isFinite(value)) {
      column[at] = value;
    }
  };
  histograms.forEach(([time, {count}]) => put(time, count));
  values.forEach(([time, text]) => put(time, text));
  return column;
}

function peakOf(values) {
  return values.reduce((max, value) => Math.max(max, value ?? -Infinity), -Infinity);
}

/** Curves of all series, at most 40 of them: those with the highest peaks. */
export class LineGraph {
  /** @param {import('./chart.js').CursorGroup} group */
  constructor(group) {
    this.group = group;
    this.plot = h('div', {class: 'plot graph', tabindex: 0, role: 'application', 'aria-roledescription': 'graph', 'aria-label': 'The arrow keys move the cursor; the values are in the table below.', onkeydown: (event) => this.key(event)});
    this.legend = h('table', {class: 'rows results legend'});
    this.atTime = h('p', {class: 'muted cursor-time'});
    this.note = h('p', {class: 'muted', hidden: true}, 'Of histograms the count is drawn; the heat map shows their buckets.');
    this.node = h('div', {}, this.plot, this.note, this.atTime, h('div', {class: 'scroll'}, this.legend));
    this.chart = new Chart(this.plot, group, HEIGHT, null);
    this.cells = [];
  }

  show(result, window) {
    const times = timesOf(window);
    const all = result.map((series) => ({labels: series.metric, values: columnOf(series, window, times.length)}));
    const sorted = all.length > MAX_DRAWN ? all.map((series) => ({...series, peak: peakOf(series.values)})).sort((a, b) => b.peak - a.peak) : all;
    const drawn = sorted.slice(0, MAX_DRAWN);
    const names = seriesNames(drawn.map((series) => series.labels));
    const lines = drawn.map((series, i) => ({label: names[i] || labelText(series.labels), color: COLOURS[i % COLOURS.length], values: series.values}));
    this.picture = {times, lines, unit: 'count', goal: null, window};
    this.note.hidden = !result.some(({histograms}) => histograms?.length > 0);
    this.chart.show(this.picture);
    this.showLegend(drawn);
  }

  showLegend(drawn) {
    const {lines} = this.picture;
    this.cells = drawn.map(() => h('td', {class: 'number'}));
    const swatch = (line) => h('span', {class: 'swatch', style: {'--swatch': `var(${line.color})`}});
    this.legend.replaceChildren(h('tbody', {}, drawn.map((series, i) => h('tr', {tabindex: -1, 'data-row': true}, h('td', {class: 'series-name'}, swatch(lines[i]), metricNode(series.labels)), this.cells[i]))));
    this.showAtCursor();
  }

  showAtCursor() {
    if (!this.picture) {
      return;
    }
    const {times, lines} = this.picture;
    const at = this.group.time === null ? times.length - 1 : nearest(times, this.group.time);
    setText(this.atTime, `Values at ${moment(times[at])}`);
    lines.forEach((line, i) => setText(this.cells[i], format(line.values[at], 'count')));
  }

  /** Arrow keys move the cursor by one sample. */
  key(event) {
    const by = {ArrowLeft: -1, ArrowRight: 1}[event.key];
    if (by === undefined || !this.picture || event.ctrlKey || event.altKey || event.metaKey) {
      return;
    }
    event.preventDefault();
    const {times} = this.picture;
    const at = this.group.time === null ? times.length - 1 : nearest(times, this.group.time) + by;
    this.group.does.pin(times[Math.min(times.length - 1, Math.max(0, at))]);
  }

  csv() {
    return pictureCsv(this.picture);
  }

  repaint() {
    this.chart.repaint();
  }

  destroy() {
    this.chart.destroy();
  }
}

/** A heat map of one histogram of the answer, and the choice among them. */
export class HeatGraph {
  /**
   * @param {import('./chart.js').CursorGroup} group
   * @param {(name: string) => void} choose
   */
  constructor(group, choose) {
    this.select = h('select', {'aria-label': 'Histogram', onchange: () => choose(this.select.value)});
    this.one = h('span', {class: 'series-name'});
    this.note = h('span', {class: 'muted'});
    this.plot = h('div', {class: 'heat'});
    this.node = h('div', {}, h('div', {class: 'line heat-line'}, this.select, this.one, this.note), this.plot);
    this.map = new HeatMap(this.plot, group, HEAT_HEIGHT);
  }

  /**
   * @param {any[]} result
   * @param {import('./types.js').Window} window
   * @param {import('./state.js').Query} query
   * @returns {boolean} whether there was a histogram to draw
   */
  show(result, window, {q, group: wanted}) {
    const histograms = histogramsOf(result, window);
    const chosen = histograms.find(({name}) => name === wanted) ?? histograms[0];
    if (chosen === undefined) {
      return false;
    }
    const several = histograms.length > 1;
    this.select.hidden = !several;
    this.one.hidden = several || chosen.name === '{}';
    setText(this.one, chosen.name);
    if (several) {
      this.select.replaceChildren(...histograms.map(({name}) => h('option', {value: name, selected: name === chosen.name}, name)));
    }
    setText(this.note, several ? `one of ${histograms.length} histograms` : chosen.native ? 'native histogram' : 'buckets by le, taken apart');
    this.histogram = chosen;
    this.times = timesOf(window);
    this.map.show({times: this.times, columns: chosen.columns, unit: unitOf([chosen.name, ...selectorsOf(q)]), window});
    return true;
  }

  csv() {
    const lines = this.histogram.columns.flatMap((column, i) => (column ?? []).map(({low, high, count}) => `${new Date(this.times[i] * 1000).toISOString()},${low},${high},${count}`));
    return ['time,low,high,count', ...lines, ''].join('\r\n');
  }

  showAtCursor() {
    this.map.drawCursor();
  }

  repaint() {
    this.map.repaint();
  }

  destroy() {
    this.map.destroy();
  }
}
