/** Query: any PromQL, as a table of this moment or a graph over the range; errors are marked at their place. */

import {Chart, CursorGroup, nearest, pictureCsv} from '../chart.js';
import {ApiError} from '../client.js';
import {actionButton, copy, download, h, setAttr, setText} from '../dom.js';
import {format as formatValue, labelText, moment, sample} from '../format.js';
import {PromqlEditor, errorPlace} from '../promql-editor.js';
import {seriesNames} from '../panel.js';
import {anchoredWindow, between, momentOf} from '../state.js';

const MAX_DRAWN = 40;
const MAX_ROWS = 500;
const GRAPH_HEIGHT = 320;
const COLOURS = ['--s0', '--s1', '--s2', '--s3', '--s4', '--s5', '--s6', '--s7'];

export class QueryView {
  constructor(context) {
    this.context = context;
    this.title = 'Query';
    this.shown = '';
    this.anchor = 0;
    this.editor = new PromqlEditor(context.client, (text) => this.run(text));
    this.group = new CursorGroup({
      move: () => this.showAtCursor(),
      pin: (time) => {
        this.group.pin(time);
        context.nav.go({cursor: time}, {replace: true, silent: true});
      },
      zoom: (from, to) => context.nav.go(between(from, to)),
    });
    this.build();
  }

  build() {
    const {nav} = this.context;
    this.runButton = h('button', {type: 'button', class: 'primary', onclick: () => this.run(this.editor.text.trim())}, 'Run');
    this.tabs = ['table', 'graph'].map((view) => h('button', {type: 'button', role: 'tab', 'data-view': view, onclick: () => nav.go({view})}, view === 'table' ? 'Table' : 'Graph'));
    this.message = h('p', {class: 'query-error', role: 'alert', hidden: true});
    this.notes = h('ul', {class: 'query-notes'});
    this.count = h('span', {class: 'muted count', 'aria-live': 'polite'});
    this.plot = h('div', {class: 'plot graph'});
    this.result = h('div', {class: 'result'});
    this.hint = h('p', {class: 'muted hint'}, 'Enter runs, Shift+Enter makes a new line. Names are offered while you type.');
    this.node = h(
      'div',
      {class: 'page query'},
      h('div', {class: 'query-line'}, this.editor.node, this.runButton),
      this.message,
      h('div', {class: 'line tab-line'}, h('div', {role: 'tablist', class: 'segments'}, this.tabs), this.count, actionButton('Copy PromQL', 'Copied', () => copy(this.editor.text)), actionButton('CSV', 'Saved', () => this.save())),
      this.notes,
      this.hint,
      this.result,
    );
  }

  focus() {
    if (this.context.nav.place.q === '') {
      this.editor.input.focus();
    }
  }

  run(text) {
    if (text === this.context.nav.place.q) {
      this.shown = '';
      this.context.again();
    } else {
      this.context.nav.go({q: text});
    }
  }

  async refresh(signal, reason) {
    const {place} = this.context.nav;
    this.tabs.forEach((tab) => setAttr(tab, 'aria-selected', String(tab.dataset.view === place.view)));
    this.group.pin(place.cursor);
    if (reason !== 'tick') {
      this.editor.text = place.q;
    }
    this.hint.hidden = place.q !== '';
    if (place.q === '') {
      this.clear();
      return;
    }
    await (place.view === 'graph' ? this.refreshGraph(place, signal, reason) : this.refreshTable(place, signal));
  }

  clear() {
    this.dropChart();
    this.result.replaceChildren();
    this.notes.replaceChildren();
    this.message.hidden = true;
    setText(this.count, '');
  }

  async refreshTable(place, signal) {
    const time = momentOf(place, this.context.client.now()).toFixed(3);
    const answer = await this.ask('/api/v1/query', {query: place.q, time}, signal);
    if (answer) {
      this.shown = '';
      this.dropChart();
      this.showTable(answer.data);
    }
  }

  async refreshGraph(place, signal, reason) {
    const now = this.context.client.now();
    if (reason !== 'tick') {
      this.anchor = Math.floor(now);
    }
    const window = anchoredWindow(place, this.anchor, now);
    const key = JSON.stringify([window, place.q]);
    if (key === this.shown && reason === 'tick') {
      return;
    }
    const answer = await this.ask('/api/v1/query_range', {query: place.q, start: window.start, end: window.end, step: window.step}, signal);
    if (answer) {
      this.shown = key;
      this.showGraph(answer.data.result, window);
    }
  }

  /** @returns {Promise<{data: any}|null>} null if the query is wrong, which is then said at its place */
  async ask(path, form, signal) {
    try {
      const answer = await this.context.client.ask(path, {form, signal});
      this.message.hidden = true;
      this.editor.mark(null);
      this.showNotes(answer);
      return answer;
    } catch (error) {
      if (!(error instanceof ApiError)) {
        throw error;
      }
      this.showError(error);
      return null;
    }
  }

  showError(error) {
    const place = error.type === 'bad_data' ? errorPlace(error.message) : null;
    this.clear();
    this.message.hidden = false;
    setText(this.message, place ? `Line ${place.line}, column ${place.column}: ${place.text}` : error.message);
    if (document.activeElement !== this.editor.input || this.editor.text.trim() === this.context.nav.place.q) {
      this.editor.mark(place);
    }
  }

  showNotes({warnings, infos}) {
    const note = (kind) => (text) => h('li', {class: kind}, h('b', {}, kind === 'warning' ? 'Warning: ' : 'Note: '), text);
    this.notes.replaceChildren(...warnings.map(note('warning')), ...infos.map(note('info')));
  }

  showTable({resultType, result}) {
    const rows = tableRows(resultType, result);
    setText(this.count, countText(rows.length, MAX_ROWS, 'shown'));
    this.csv = () => rows.map((row) => `${csvQuote(row.name)},${row.value}`).join('\r\n');
    if (rows.length === 0) {
      this.result.replaceChildren(h('p', {class: 'muted nothing'}, 'The query is right and its answer is empty: no series matches at this moment.'));
      return;
    }
    const lines = rows.slice(0, MAX_ROWS).map((row) => h('tr', {tabindex: -1, 'data-row': true}, h('td', {class: 'series-name'}, row.node), h('td', {class: 'number', title: row.value}, row.shown)));
    const head = h('tr', {}, h('th', {scope: 'col'}, resultType === 'vector' ? 'Series' : 'Result'), h('th', {scope: 'col', class: 'number'}, 'Value'));
    this.result.replaceChildren(h('div', {class: 'scroll'}, h('table', {class: 'rows results'}, h('thead', {}, head), h('tbody', {}, lines))));
  }

  showGraph(result, window) {
    const times = [];
    for (let i = 0; i <= Math.round((window.end - window.start) / window.step); i++) {
      times.push(window.start + i * window.step);
    }
    const all = result.map((series) => ({name: labelText(series.metric), labels: series.metric, values: columnOf(series.values ?? [], window, times.length)}));
    const sorted = all.length > MAX_DRAWN ? all.map((series) => ({...series, peak: peakOf(series.values)})).sort((a, b) => b.peak - a.peak) : all;
    const drawn = sorted.slice(0, MAX_DRAWN);
    setText(this.count, countText(all.length, MAX_DRAWN, 'with the highest peaks drawn'));
    if (drawn.length === 0) {
      this.clear();
      this.result.replaceChildren(h('p', {class: 'muted nothing'}, 'The query is right and its answer is empty: no series matches in this range.'));
      return;
    }
    const names = seriesNames(drawn.map((series) => series.labels));
    const lines = drawn.map((series, i) => ({label: names[i] || series.name, color: COLOURS[i % COLOURS.length], values: series.values}));
    this.picture = {times, lines, unit: 'count', goal: null, window};
    this.csv = () => pictureCsv(this.picture);
    this.showChart();
    this.showLegend(drawn, lines);
  }

  showChart() {
    if (!this.chart) {
      this.legend = h('table', {class: 'rows results legend'});
      this.atTime = h('p', {class: 'muted cursor-time'});
      this.result.replaceChildren(this.plot, this.atTime, h('div', {class: 'scroll'}, this.legend));
      this.chart = new Chart(this.plot, this.group, GRAPH_HEIGHT, null);
    }
    this.chart.show(this.picture);
  }

  showLegend(drawn, lines) {
    this.legendCells = drawn.map(() => h('td', {class: 'number'}));
    this.legend.replaceChildren(
      h('tbody', {}, drawn.map((series, i) => h('tr', {tabindex: -1, 'data-row': true}, h('td', {class: 'series-name'}, h('span', {class: 'swatch', style: {'--swatch': `var(${lines[i].color})`}}), metricNode(series.labels)), this.legendCells[i]))),
    );
    this.showAtCursor();
  }

  showAtCursor() {
    if (!this.chart || !this.legendCells) {
      return;
    }
    const {times, lines} = this.picture;
    const at = this.group.time === null ? times.length - 1 : nearest(times, this.group.time);
    setText(this.atTime, `Values at ${moment(times[at])}`);
    lines.forEach((line, i) => setText(this.legendCells[i], formatValue(line.values[at], 'count')));
  }

  save() {
    if (this.csv) {
      download('query.csv', 'text/csv', this.csv());
    }
  }

  dropChart() {
    this.chart?.destroy();
    this.chart = null;
    this.legendCells = null;
  }

  repaint() {
    this.chart?.repaint();
  }

  escape() {
    if (this.group.pinned === null) {
      return false;
    }
    this.group.does.pin(null);
    return true;
  }

  destroy() {
    this.dropChart();
  }
}

/** Rows of any kind of result. */
function tableRows(resultType, result) {
  switch (resultType) {
    case 'vector':
      return result.map(({metric, value, histogram}) => ({name: labelText(metric), node: metricNode(metric), ...valueOf(value, histogram)}));
    case 'matrix':
      return result.map(({metric, values = [], histograms = []}) => {
        const text = values.map(([time, value]) => `${value} @${time}`).join('\n') || `${histograms.length} histograms`;
        return {name: labelText(metric), node: metricNode(metric), value: text, shown: h('span', {class: 'samples'}, text)};
      });
    case 'scalar':
      return [{name: 'scalar', node: 'scalar', value: result[1], shown: sample(result[1])}];
    default:
      return [{name: 'string', node: 'string', value: result[1], shown: result[1]}];
  }
}

function valueOf(value, histogram) {
  if (value) {
    return {value: value[1], shown: sample(value[1])};
  }
  const [, {count, sum}] = histogram;
  const text = `histogram of ${count}, sum ${sample(sum)}`;
  return {value: text, shown: text};
}

/** A series' name and labels, each apart so that long ones can break. */
function metricNode(labels) {
  const pairs = Object.entries(labels).filter(([name]) => name !== '__name__');
  return h('span', {class: 'metric'}, h('b', {}, labels.__name__ ?? ''), pairs.map(([name, value]) => h('span', {class: 'label'}, `${name}=`, h('span', {class: 'value'}, JSON.stringify(value)))), !labels.__name__ && pairs.length === 0 ? '{}' : null);
}

function countText(count, max, how) {
  if (count === 0) {
    return 'empty';
  }
  const series = count === 1 ? '1 series' : `${count} series`;
  return count > max ? `${series}, the ${max} ${how}` : series;
}

/** Samples put on the grid of the window; what isn't there or isn't finite is a gap. */
function columnOf(samples, {start, step}, length) {
  const column = new Array(length).fill(null);
  for (const [time, text] of samples) {
    const at = Math.round((time - start) / step);
    const value = Number(text);
    if (at >= 0 && at < length && Number.isFinite(value)) {
      column[at] = value;
    }
  }
  return column;
}

function peakOf(values) {
  return values.reduce((max, value) => Math.max(max, value ?? -Infinity), -Infinity);
}

function csvQuote(text) {
  return `"${text.replaceAll('"', '""')}"`;
}
