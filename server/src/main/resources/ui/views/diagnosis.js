/** Diagnosis: what is the matter with one service, why, what to do now, and what was measured for and against it. */

import {ActionList} from '../action-list.js';
import {CursorGroup} from '../chart.js';
import {diagnosisUrl} from '../client.js';
import {ChangeTable, LayerTable, RuledOutList, TelemetryList} from '../diagnosis-tables.js';
import {markdown} from '../diagnosis-text.js';
import {actionButton, copy, h, setAttr, setText} from '../dom.js';
import {clock, duration, moment, undirected} from '../format.js';
import {STATES, known, stateMark, updateMark} from '../marks.js';
import {Colours} from '../panel.js';
import {PathDrawing} from '../path-drawing.js';
import {DEFAULT_JUDGED, between, format as placeUrl, servicePath} from '../state.js';
import {queryStep} from '../ticks.js';
import {causeWords, inOrder, stateOf} from '../verdicts.js';
import {VerdictCards} from '../verdict-card.js';

/** A live diagnosis is made anew this often: what it stands on moves by minutes. */
const ASKED_MS = 10_000;
const WINDOWS = [120, 300, 600, 900, 1800, 3600];

export class DiagnosisView {
  constructor(context) {
    this.title = 'Diagnosis';
    this.services = [];
    /** @type {import('../types.js').Diagnosis|null} */
    this.diagnosis = null;
    this.service = null;
    this.askedAt = 0;
    this.group = new CursorGroup({move: () => this.cards.cards.forEach((card) => showCursor(card)), pin: (time) => this.group.pin(time), zoom: (from, to) => context.nav.go(between(from, to))});
    this.context = {...context, group: this.group, colours: new Colours(), serviceOf: (id) => this.services.find((one) => one.id === id), redraw: () => this.redraw()};
    this.cards = new VerdictCards(this.context);
    this.rest = new VerdictCards(this.context);
    this.build();
  }

  build() {
    const {context} = this;
    this.mark = stateMark('unknown');
    this.name = h('h1', {}, 'Diagnosis');
    this.when = h('span', {class: 'muted'});
    this.choose = h('select', {'aria-label': 'Service', onchange: () => context.nav.go(context.nav.elsewhere('diagnosis', {id: this.choose.value, judged: context.nav.place.judged}))});
    this.window = h('select', {'aria-label': 'Stretch that is judged', onchange: () => context.nav.go({judged: Number(this.window.value)})});
    this.sentence = h('p', {class: 'sentence', 'aria-live': 'polite'});
    this.toService = h('a', {'data-nav': true}, 'Its charts');
    this.keep = h('a', {'data-nav': true}, 'Link to this moment');
    this.json = h('a', {target: '_blank', rel: 'noopener'}, 'JSON');
    this.links = h('p', {class: 'diagnosis-links', hidden: true}, this.when, this.toService, this.keep, actionButton('Copy as Markdown', 'Copied', () => copy(this.markdown())), this.json);
    this.first = h('div', {class: 'verdict-first'});
    this.others = h('div', {class: 'verdicts'});
    this.actions = new ActionList(context);
    this.todo = h('section', {class: 'next-steps'}, h('h2', {}, 'What to do now'), this.actions.node);
    this.path = new PathDrawing();
    this.found = h('section', {class: 'found'}, h('h2', {}, 'How it was found'), this.path.node);
    this.layers = new LayerTable(context.vocabulary);
    this.changes = new ChangeTable(context);
    this.ruledOut = new RuledOutList((cause) => this.titleOf(cause));
    this.telemetry = new TelemetryList(context);
    this.content = h('div', {class: 'diagnosis-grid', hidden: true}, h('div', {class: 'for-and-against'}, this.first, this.others), h('div', {class: 'beside'}, this.todo, this.found));
    this.below = h('div', {hidden: true}, this.layers.node, this.changes.node, this.ruledOut.node, this.telemetry.node);
    this.node = h(
      'div',
      {class: 'page diagnosis'},
      h('div', {class: 'title-line'}, this.mark, this.name, h('div', {class: 'choosers'}, this.choose, this.window)),
      this.sentence,
      this.links,
      this.content,
      this.below,
    );
  }

  titleOf(cause) {
    return this.context.causes.get(cause)?.title ?? causeWords(cause);
  }

  async refresh(abort, reason) {
    this.abort = abort;
    if (reason !== 'place' || this.services.length === 0) {
      await this.refreshServices(abort);
    }
    if (this.service === null) {
      return;
    }
    if (this.isDue(reason)) {
      await this.ask(abort);
    }
    await this.refreshCharts(abort);
    this.reveal();
  }

  /** Shows the cause that the URL names: its verdict, or why it is none. */
  reveal() {
    const cause = this.context.nav.place.reveal;
    if (cause === '' || this.diagnosis === null) {
      return;
    }
    this.context.nav.go({reveal: ''}, {replace: true, silent: true});
    const card = this.node.querySelector(`.verdict[data-cause="${CSS.escape(cause)}"]`);
    if (card === null) {
      this.ruledOut.find(this.titleOf(cause));
    }
    (card ?? this.ruledOut.node).scrollIntoView({block: card === null ? 'center' : 'start'});
  }

  async refreshServices(abort) {
    this.services = await this.context.loadServices(abort);
    const engines = this.services.filter(({kind}) => kind === 'engine');
    const {id} = this.context.nav.place;
    const chosen = engines.find((service) => (id === '' ? true : service.id === id)) ?? null;
    this.showChoosers(engines, id);
    if (chosen === null) {
      this.showNothing(engines, id);
    }
    this.service = chosen;
  }

  showChoosers(engines, id) {
    const options = [{id: '', name: engines.length > 1 ? `The worst of ${engines.length} services` : 'The only service', state: null}, ...engines];
    this.choose.hidden = engines.length === 0;
    fillSelect(this.choose, options.map((one) => [one.id, one.state === null ? one.name : `${undirected(one.name)} (${one.engine.title}): ${STATES[known(one.state)].word}`]), id);
    const {judged} = this.context.nav.place;
    const windows = [...new Set([...WINDOWS, judged])].sort((a, b) => a - b);
    fillSelect(this.window, windows.map((seconds) => [String(seconds), `Last ${duration(seconds)}`]), String(judged));
  }

  /** There is nobody to diagnose. */
  showNothing(engines, id) {
    updateMark(this.mark, 'unknown');
    const text = engines.length > 0 ? `No inference engine is watched as ${undirected(id)}.` : this.services.length > 0 ? 'No inference engine is watched yet: there is nobody to diagnose. Give it one with: inferometer serve http://host:8000' : 'Nothing is watched yet. Give it an inference engine with: inferometer serve http://host:8000';
    setText(this.sentence, text);
    this.show(null);
  }

  /** What is asked for; live it is made anew once in a while, else once. */
  asked() {
    const {place} = this.context.nav;
    return {service: this.service.id, time: place.to, window: place.judged === DEFAULT_JUDGED ? null : place.judged};
  }

  isDue(reason) {
    const key = JSON.stringify(this.asked());
    return key !== this.askedKey || (this.context.nav.place.to === null && (reason === 'data' || Date.now() - this.askedAt >= ASKED_MS));
  }

  async ask(abort) {
    const asked = this.asked();
    const diagnosis = await this.context.client.diagnosis(asked, abort);
    this.askedKey = JSON.stringify(asked);
    this.askedAt = Date.now();
    if (diagnosis === null) {
      setText(this.sentence, 'This server doesn’t diagnose.');
    }
    this.show(diagnosis);
  }

  /** @param {import('../types.js').Diagnosis|null} diagnosis */
  show(diagnosis) {
    this.diagnosis = diagnosis;
    [this.content, this.below, this.links].forEach((part) => (part.hidden = diagnosis === null));
    if (diagnosis === null) {
      return;
    }
    this.showHead(diagnosis);
    this.showVerdicts(diagnosis);
    this.path.show(diagnosis);
    this.found.hidden = diagnosis.path.length === 0;
    [this.layers, this.changes, this.ruledOut, this.telemetry].forEach((part) => part.show(diagnosis));
    this.showMarks(diagnosis);
  }

  showHead({state, summary, window, baseline}) {
    const {nav, linkTo, setTitle} = this.context;
    const name = undirected(this.service.name);
    setTitle(`${stateOf(state).word}: ${name}`);
    updateMark(this.mark, stateOf(state).mark, stateOf(state).word);
    setText(this.name, `Diagnosis of ${name}`);
    setText(this.when, `${moment(window.start)} to ${clock(window.end)}${baseline === null ? ', with nothing to compare with' : `, against ${clock(baseline.start)} to ${clock(baseline.end)}`}`);
    setText(this.sentence, undirected(summary));
    setAttr(this.toService, 'href', linkTo(servicePath(this.service.id)));
    const {judged} = nav.place;
    setAttr(this.keep, 'href', placeUrl(nav.elsewhere('diagnosis', {id: this.service.id, to: window.end, judged})));
    setAttr(this.json, 'href', diagnosisUrl({service: this.service.id, time: window.end, window: window.end - window.start}));
  }

  showVerdicts(diagnosis) {
    const placed = inOrder(diagnosis.verdicts);
    const [root] = placed;
    this.cards.show(this.first, placed.slice(0, 1), diagnosis, {hasActions: false, opensFirst: true, words: () => 'Root cause'});
    this.rest.show(this.others, placed.slice(1), diagnosis, {hasActions: true, opensFirst: false, words: () => 'Beside it, on its own'});
    this.content.hidden = placed.length === 0 && diagnosis.path.length === 0;
    this.todo.hidden = !(root?.verdict.next.length > 0);
    this.actions.show(root?.verdict.next ?? []);
    setAttr(this.content, 'data-empty', placed.length === 0);
  }

  /** What is judged and what it is compared with, and what happened, on every chart of the evidence. */
  showMarks({window, baseline, happenings}) {
    const events = happenings.map(({time, kind}) => ({kind: kind === 'restart' ? 'restart' : 'change', start: time, end: time}));
    this.group.marks = [...(baseline === null ? [] : [{kind: 'baseline', word: 'before', ...baseline}]), {kind: 'window', word: 'judged', ...window}, ...events];
  }

  /** From a little before the baseline to the end of the window, or as far as the range reaches. */
  chartWindow() {
    const {window, baseline} = this.diagnosis;
    const {span} = this.context.nav.place;
    const margin = (window.end - window.start) / 2;
    const from = Math.min(window.end - span, window.start - margin, (baseline?.end ?? 0) > window.start - 4 * 3600 ? baseline.start - margin : Infinity);
    const step = queryStep(window.end - from);
    const end = Math.ceil(window.end / step) * step;
    return {start: Math.floor(from / step) * step, end, step};
  }

  async refreshCharts(abort) {
    if (this.diagnosis !== null) {
      const window = this.chartWindow();
      await Promise.all([this.cards.refresh(window, abort), this.rest.refresh(window, abort)]);
    }
  }

  /** A row was opened or closed. */
  redraw() {
    if (this.diagnosis !== null) {
      this.showVerdicts(this.diagnosis);
      this.refreshCharts(this.abort?.aborted ? undefined : this.abort).catch(this.context.report);
    }
  }

  markdown() {
    const {nav, vocabulary} = this.context;
    const url = new URL(this.keep.getAttribute('href'), window.location.origin).href;
    return markdown(this.diagnosis, {name: this.service.name, url, vocabulary, titleOf: (cause) => this.titleOf(cause), nav});
  }

  repaint() {
    this.cards.repaint();
    this.rest.repaint();
  }

  destroy() {
    this.cards.destroy();
    this.rest.destroy();
  }
}

function showCursor(card) {
  [card.evidence, card.against].forEach((rows) => rows.charts.forEach((chart) => chart.panel.showAtCursor()));
}

/** Options of a select, changed only if they are others, so that it stays open while the page ticks. */
function fillSelect(select, options, value) {
  const key = JSON.stringify(options);
  if (select.dataset.shown !== key) {
    select.dataset.shown = key;
    select.replaceChildren(...options.map(([id, text]) => h('option', {value: id}, text)));
  }
  if (select.value !== value) {
    select.value = value;
  }
}
