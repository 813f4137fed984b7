/** One query of the query page: its editor, its answer as table, graph or heat map, and how it was answered. */

import {ApiError} from './client.js';
import {actionButton, copy, download, h, setAttr, setText} from './dom.js';
import {hasHistograms} from './histograms.js';
import {PromqlEditor} from './promql-editor.js';
import {notePlace} from './promql-places.js';
import {explainTable} from './query-explain.js';
import {HeatGraph, LineGraph, MAX_DRAWN} from './query-graph.js';
import {MAX_ROWS, ResultTable, tableCsv, tableRows} from './query-table.js';

const TABS = {table: 'Table', graph: 'Graph', heat: 'Heat map'};
const NO_EXPLAIN = "This server can't explain queries; the answer below is the same without it.";

let panels = 0;

export class QueryPanel {
  /**
   * @param {object} context of the page
   * @param {object} page
   * @param {import('./chart.js').CursorGroup} page.group
   * @param {import('./promql-completion.js').Completion} page.completion
   * @param {(panel: QueryPanel, patch: object) => void} page.change
   * @param {(panel: QueryPanel) => void} page.again
   * @param {(panel: QueryPanel) => void} page.remove
   */
  constructor(context, page) {
    this.context = context;
    this.page = page;
    /** @type {import('./state.js').Query|null} */
    this.query = null;
    this.applied = null;
    this.shown = '';
    this.picture = null;
    /** @type {ResultTable|null} */
    this.table = null;
    const id = `query-${++panels}`;
    this.message = h('p', {class: 'query-message', id: `${id}-message`, 'aria-live': 'polite'});
    this.editor = new PromqlEditor({completion: page.completion, run: (text) => this.run(text), check: (text) => this.check(text), say: (level, text) => this.say(level, text)}, `${id}-message`);
    this.build(id);
  }

  build(id) {
    const change = (patch) => this.change(patch);
    this.letter = h('span', {class: 'query-letter', 'aria-hidden': 'true', hidden: true});
    this.tabs = Object.entries(TABS).map(([view, title]) => h('button', {type: 'button', role: 'tab', id: `${id}-${view}`, 'data-view': view, 'aria-controls': `${id}-result`, onclick: () => change({view})}, title));
    this.count = h('span', {class: 'muted count', 'aria-live': 'polite'});
    this.explainButton = h('button', {type: 'button', class: 'small toggle-explain', 'aria-pressed': 'false', title: 'Series, samples and time of each part', onclick: () => change({explain: !this.query.explain})}, 'Explain');
    this.formatButton = h('button', {type: 'button', class: 'small', title: 'Lay the query out over lines', onclick: () => this.format()}, 'Format');
    this.removeButton = h('button', {type: 'button', class: 'icon query-remove', title: 'Remove this query', 'aria-label': 'Remove this query', onclick: () => this.page.remove(this)}, '✕');
    this.notes = h('ul', {class: 'query-notes'});
    this.explain = h('div', {class: 'explain', hidden: true});
    this.result = h('div', {class: 'result', id: `${id}-result`, role: 'tabpanel'});
    this.node = h(
      'section',
      {class: 'query-panel', 'aria-label': 'Query'},
      h('div', {class: 'query-line'}, this.letter, this.editor.node, h('button', {type: 'button', class: 'primary', onclick: () => this.run(this.editor.text.trim())}, 'Run'), this.removeButton),
      this.message,
      h('div', {class: 'line tab-line'}, h('div', {role: 'tablist', class: 'segments', 'aria-label': 'How the answer is shown', onkeydown: (event) => this.tabKey(event)}, this.tabs), this.count, this.explainButton, this.formatButton, actionButton('Copy PromQL', 'Copied', () => copy(this.editor.text)), actionButton('CSV', 'Saved', () => this.save())),
      this.notes,
      this.explain,
      this.result,
    );
  }

  /**
   * @param {import('./state.js').Query} query
   * @param {number} index
   * @param {number} count of queries on the page
   */
  showQuery(query, index, count) {
    this.query = query;
    if (query.q !== this.applied) {
      this.applied = query.q;
      this.editor.text = query.q;
      this.say('', '');
    }
    const letter = String.fromCharCode(65 + index);
    this.letter.hidden = this.removeButton.hidden = count === 1;
    setText(this.letter, letter);
    setAttr(this.node, 'aria-label', count === 1 ? 'Query' : `Query ${letter}`);
    this.tabs.forEach((tab) => setAttr(tab, 'aria-selected', String(tab.dataset.view === query.view)));
    setAttr(this.result, 'aria-labelledby', this.tabs.find((tab) => tab.dataset.view === query.view).id);
    setAttr(this.explainButton, 'aria-pressed', String(query.explain));
    this.allowHeat(this.heatKnown === query.q);
    this.explain.hidden = !query.explain;
    if (query.q === '') {
      this.clear();
    }
  }

  /** A heat map can be chosen once the answer is known to have histograms. */
  allowHeat(allowed) {
    const tab = this.tabs.find(({dataset}) => dataset.view === 'heat');
    tab.disabled = !allowed && this.query.view !== 'heat';
    tab.title = tab.disabled ? 'For histograms: native ones, or series by le' : '';
  }

  /** The arrows go from tab to tab. */
  tabKey(event) {
    const by = {ArrowLeft: -1, ArrowRight: 1}[event.key];
    const tabs = this.tabs.filter(({disabled}) => !disabled);
    const at = tabs.indexOf(document.activeElement);
    if (by !== undefined && at >= 0) {
      event.preventDefault();
      tabs[(at + by + tabs.length) % tabs.length].focus();
    }
  }

  get isRange() {
    return this.query.view !== 'table';
  }

  run(text) {
    this.editor.settle();
    if (text === this.query.q) {
      this.page.again(this);
    } else {
      this.change({});
    }
  }

  /** Changes what is shown; what was typed meanwhile is meant, too. */
  change(patch) {
    const q = this.editor.text.trim();
    const isNew = q !== this.query.q;
    this.editor.settle();
    this.applied = q;
    this.page.change(this, {...(isNew ? {q, group: ''} : {}), ...patch});
  }

  /** @returns {Promise<string|null>} what is wrong with a query, as far as the server says without running it */
  async check(text) {
    try {
      await this.context.client.askIfThere('/api/v1/parse_query', {form: {query: text}});
      return null;
    } catch (error) {
      return error instanceof ApiError && error.type === 'bad_data' ? error.message : null;
    }
  }

  async format() {
    const {text} = this.editor;
    try {
      const answer = await this.context.client.askIfThere('/api/v1/format_query', {form: {query: text}});
      if (answer === null) {
        this.say('note', "This server can't lay out queries.");
      } else if (this.editor.text === text && answer.data !== text) {
        this.editor.replace(0, text.length, answer.data);
      }
    } catch (error) {
      if (!(error instanceof ApiError)) {
        throw error;
      }
      this.editor.showError(error.message);
    }
  }

  /** What is said under the editor. Its line is always there, so that nothing moves while one types. */
  say(level, text) {
    // Who listens isn't told of every half-typed word; the field's description says it.
    setAttr(this.message, 'aria-live', level === 'typing' ? 'off' : 'polite');
    setAttr(this.message, 'data-level', text === '' ? null : level);
    setAttr(this.message, 'title', text === '' ? null : text);
    setText(this.message, text);
  }

  clear() {
    this.drop();
    this.result.replaceChildren();
    this.notes.replaceChildren();
    this.explain.replaceChildren();
    setText(this.count, '');
    this.shown = '';
  }

  /** @returns {boolean} whether the editor still holds what was asked */
  isCurrent() {
    return this.editor.text.trim() === this.query.q;
  }

  /**
   * @param {{data: any, warnings: string[], infos: string[]}|ApiError} answer
   * @param {import('./types.js').Window|null} window null for a moment
   */
  showAnswer(answer, window) {
    if (answer instanceof ApiError) {
      this.clear();
      if (this.isCurrent()) {
        this.editor.showError(answer.message);
      } else {
        this.say('error', answer.message);
      }
      return;
    }
    this.showNotes(answer);
    const {data} = answer;
    if (hasHistograms(data)) {
      this.heatKnown = this.query.q;
      this.allowHeat(true);
    }
    if (window === null) {
      this.showTable(data);
    } else {
      this.showRange(data.result, window);
    }
  }

  showNotes({warnings, infos}) {
    const note = (kind) => (text) => h('li', {class: kind}, h('b', {}, kind === 'warning' ? 'Warning: ' : 'Note: '), noteText(text));
    this.notes.replaceChildren(...warnings.map(note('warning')), ...infos.map(note('info')));
    if (this.isCurrent()) {
      this.say('', '');
      this.editor.showNotes(warnings.map(notePlace).filter(Boolean), infos.map(notePlace).filter(Boolean));
    }
  }

  showTable(data) {
    const rows = tableRows(data);
    setText(this.count, countText(rows.length, MAX_ROWS, 'shown'));
    if (rows.length === 0) {
      this.nothing('at this moment');
      return;
    }
    if (this.table === null) {
      this.drop();
      this.table = new ResultTable();
      this.result.replaceChildren(this.table.node);
    }
    this.table.show(data.resultType, rows);
    this.csv = () => tableCsv(rows);
  }

  nothing(when) {
    this.drop();
    this.result.replaceChildren(h('p', {class: 'muted nothing'}, `The query is right and its answer is empty: no series matches ${when}.`));
  }

  showRange(result, window) {
    const {view} = this.query;
    setText(this.count, view === 'heat' ? countText(result.length, Infinity, '') : countText(result.length, MAX_DRAWN, 'with the highest peaks drawn'));
    if (result.length === 0) {
      this.nothing('in this range');
      return;
    }
    const Wanted = view === 'heat' ? HeatGraph : LineGraph;
    if (!(this.picture instanceof Wanted)) {
      this.drop();
      this.picture = new Wanted(this.page.group, (group) => this.change({group}));
      this.result.replaceChildren(this.picture.node);
    }
    this.csv = () => this.picture.csv();
    if (this.picture.show(result, window, this.query) === false) {
      this.drop();
      this.result.replaceChildren(h('p', {class: 'muted nothing'}, 'There is no histogram in this answer. A heat map needs native histograms, or at least two series that differ only by le, such as sum by (le) (rate(x_bucket[5m])).'));
    }
  }

  /**
   * @param {{data: any}|ApiError|null} answer null if the server has no such route
   */
  showExplained(answer) {
    if (answer === null || answer instanceof ApiError || !answer.data.explain) {
      this.explain.replaceChildren(answer instanceof ApiError ? '' : h('p', {class: 'muted'}, NO_EXPLAIN));
      return;
    }
    const {q} = this.query;
    this.explain.replaceChildren(explainTable(q, answer.data.explain, (stretch) => this.editor.text === q && this.editor.highlight(stretch)));
  }

  showAtCursor() {
    this.picture?.showAtCursor();
  }

  save() {
    if (this.csv) {
      download('query.csv', 'text/csv', this.csv());
    }
  }

  drop() {
    this.picture?.destroy();
    this.picture = null;
    this.table = null;
    this.csv = null;
  }

  repaint() {
    this.picture?.repaint();
  }

  destroy() {
    this.drop();
    this.editor.destroy();
    this.node.remove();
  }
}

/** A warning or info as it is said, its place last. */
function noteText(message) {
  const place = notePlace(message);
  return place === null ? message : `${place.text} (line ${place.line}, column ${place.column})`;
}

function countText(count, max, how) {
  if (count === 0) {
    return 'empty';
  }
  const series = count === 1 ? '1 series' : `${count} series`;
  return count > max ? `${series}, the ${max} ${how}` : series;
}
