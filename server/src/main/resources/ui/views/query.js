/** Query: any PromQL, several queries under one time range, each as a table of this moment, a graph or a heat map. */

import {CursorGroup} from '../chart.js';
import {ApiError} from '../client.js';
import {h} from '../dom.js';
import {Completion} from '../promql-completion.js';
import {QueryPanel} from '../query-panel.js';
import {MAX_QUERIES, anchoredWindow, between, momentOf, newQuery} from '../state.js';

export class QueryView {
  constructor(context) {
    this.context = context;
    this.title = 'Query';
    this.anchor = 0;
    this.completion = new Completion(context.client);
    this.group = new CursorGroup({
      move: () => this.panels.forEach((panel) => panel.showAtCursor()),
      pin: (time) => {
        this.group.pin(time);
        context.nav.go({cursor: time}, {replace: true, silent: true});
      },
      zoom: (from, to) => context.nav.go(between(from, to)),
    });
    /** @type {QueryPanel[]} */
    this.panels = [];
    this.list = h('div', {class: 'query-panels'});
    this.addButton = h('button', {type: 'button', class: 'small query-add', onclick: () => this.add()}, 'Add a query');
    this.hint = h('p', {class: 'muted hint'}, 'Enter runs, Shift+Enter makes a new line. What can stand at the caret is offered while you type, or with Ctrl+Space.');
    this.node = h('div', {class: 'page query'}, this.list, h('div', {class: 'line query-foot'}, this.addButton), this.hint);
    this.showPanels();
  }

  get place() {
    return this.context.nav.place;
  }

  focus() {
    if (this.place.queries.every(({q}) => q === '')) {
      this.focusEditor();
    }
  }

  focusEditor() {
    this.panels[0].editor.input.focus();
  }

  /** Brings the panels in line with the place; what is typed in them and not run yet stays. */
  showPanels() {
    const {queries} = this.place;
    while (this.panels.length < queries.length) {
      const panel = new QueryPanel(this.context, this.callbacks());
      this.panels.push(panel);
      this.list.append(panel.node);
    }
    this.panels.splice(queries.length).forEach((panel) => panel.destroy());
    this.panels.forEach((panel, i) => panel.showQuery(queries[i], i, queries.length));
    this.hint.hidden = queries.some(({q}) => q !== '');
    this.addButton.disabled = queries.length >= MAX_QUERIES;
  }

  callbacks() {
    return {
      group: this.group,
      completion: this.completion,
      change: (panel, patch) => this.change(panel, patch),
      again: () => this.context.again(),
      remove: (panel) => this.remove(panel),
    };
  }

  change(panel, patch) {
    const at = this.panels.indexOf(panel);
    this.context.nav.go({queries: this.place.queries.map((query, i) => (i === at ? {...query, ...patch} : query))});
  }

  add() {
    const {queries} = this.place;
    this.context.nav.go({queries: [...queries, newQuery('', {view: queries.at(-1).view === 'graph' ? 'graph' : 'table'})]});
    this.panels.at(-1).editor.input.focus();
  }

  remove(panel) {
    const at = this.panels.indexOf(panel);
    this.panels.splice(at, 1);
    panel.destroy();
    this.context.nav.go({queries: this.place.queries.filter((_, i) => i !== at)});
    this.panels[Math.min(at, this.panels.length - 1)].editor.input.focus();
  }

  async refresh(signal, reason) {
    this.group.pin(this.place.cursor);
    this.showPanels();
    const now = this.context.client.now();
    if (reason !== 'tick') {
      this.anchor = Math.floor(now);
    }
    const window = anchoredWindow(this.place, this.anchor, now);
    const asked = this.panels.filter(({query}) => query.q !== '');
    await Promise.all([
      this.ask(asked.filter((panel) => !panel.isRange), {time: Number(momentOf(this.place, now).toFixed(3))}, null, signal, reason),
      this.ask(asked.filter((panel) => panel.isRange), window, window, signal, reason),
    ]);
  }

  /** Asks for panels that share a time: those that are explained one by one, the others together. */
  async ask(panels, time, window, signal, reason) {
    const key = JSON.stringify(window);
    const stale = panels.filter((panel) => reason !== 'tick' || window === null || panel.shown !== `${key} ${panel.query.q}`);
    const explained = reason === 'tick' ? [] : stale.filter(({query}) => query.explain);
    const plain = stale.filter((panel) => !explained.includes(panel));
    const show = (panel, answer) => {
      panel.showAnswer(answer, window);
      panel.shown = `${key} ${panel.query.q}`;
    };
    await Promise.all([...explained.map((panel) => this.askExplained(panel, time, signal, show)), this.askPlain(plain, time, signal, show)]);
  }

  async askPlain(panels, time, signal, show) {
    if (panels.length > 0) {
      const answers = await this.context.client.queries(panels.map(({query}) => query.q), time, signal);
      panels.forEach((panel, i) => show(panel, answers[i]));
    }
  }

  async askExplained(panel, time, signal, show) {
    const explained = await this.explained(panel.query.q, time, signal);
    panel.showExplained(explained);
    const [answer] = explained === null ? await this.context.client.queries([panel.query.q], time, signal) : [explained];
    show(panel, answer);
  }

  /** @returns {Promise<{data: any, warnings: string[], infos: string[]}|ApiError|null>} null if the server can't explain */
  async explained(query, time, signal) {
    try {
      return await this.context.client.askIfThere('/api/v1/query_explain', {form: {query, ...time}, signal});
    } catch (error) {
      if (error instanceof ApiError) {
        return error;
      }
      throw error;
    }
  }

  repaint() {
    this.panels.forEach((panel) => panel.repaint());
  }

  escape() {
    if (this.group.pinned === null) {
      return false;
    }
    this.group.does.pin(null);
    return true;
  }

  destroy() {
    this.panels.forEach((panel) => panel.destroy());
  }
}
