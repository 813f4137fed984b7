/** The diagnosis beside the charts of a service: its verdicts, whose evidence leads to the charts, and what to do. */

import {ActionList} from './action-list.js';
import {h, setAttr, setText} from './dom.js';
import {clock, moment, undirected} from './format.js';
import {stateMark, updateMark} from './marks.js';
import {PathDrawing} from './path-drawing.js';
import {DEFAULT_JUDGED, format as placeUrl} from './state.js';
import {inOrder, stateOf} from './verdicts.js';
import {VerdictCards} from './verdict-card.js';

/** The name under which the URL keeps it open. */
export const WHY = 'why';
const ASKED_MS = 10_000;

export class WhyPanel {
  /**
   * @param {string} service
   * @param {any} context of the view; `openEvidence(evidence)` goes to a chart
   * @param {() => void} close
   */
  constructor(service, context, close) {
    this.service = service;
    this.context = context;
    /** @type {import('./types.js').Diagnosis|null} */
    this.diagnosis = null;
    this.askedKey = '';
    this.askedAt = 0;
    this.cards = new VerdictCards(context);
    this.mark = stateMark('unknown');
    this.when = h('span', {class: 'muted'});
    this.whole = h('a', {'data-nav': true}, 'The whole diagnosis');
    this.summary = h('p', {class: 'why-summary', 'aria-live': 'polite'});
    this.first = h('div', {class: 'verdict-first'});
    this.others = h('div', {class: 'verdicts'});
    this.rest = new VerdictCards(context);
    this.actions = new ActionList(context);
    this.todo = h('section', {class: 'next-steps'}, h('h3', {}, 'What to do now'), this.actions.node);
    this.path = new PathDrawing();
    this.found = h('details', {class: 'found'}, h('summary', {}, 'How it was found'), this.path.node);
    this.node = h(
      'section',
      {class: 'why', 'aria-label': 'Why', hidden: true},
      h('header', {class: 'line'}, h('h2', {}, 'Why'), this.mark, h('span', {class: 'spacer'}), h('button', {type: 'button', class: 'icon', 'aria-label': 'Close', title: 'Close', onclick: close}, '×')),
      h('p', {class: 'why-when'}, this.when, ' ', this.whole),
      this.summary,
      this.first,
      this.todo,
      this.others,
      this.found,
    );
  }

  get isOpen() {
    return !this.node.hidden;
  }

  set isOpen(isOpen) {
    this.node.hidden = !isOpen;
  }

  /**
   * @param {number|null} time the moment that is looked at, null for now
   * @param {boolean} isTick whether only time went on
   */
  async refresh(time, isTick, abort) {
    const {judged} = this.context.nav.place;
    const asked = {service: this.service, time, window: judged === DEFAULT_JUDGED ? null : judged};
    const key = JSON.stringify(asked);
    if (key === this.askedKey && (time !== null || (isTick && Date.now() - this.askedAt < ASKED_MS))) {
      return;
    }
    const diagnosis = await this.context.client.diagnosis(asked, abort);
    this.askedKey = key;
    this.askedAt = Date.now();
    if (diagnosis === null) {
      setText(this.summary, 'This server doesn’t diagnose.');
    } else {
      this.show(diagnosis);
    }
  }

  /** @param {import('./types.js').Diagnosis} diagnosis */
  show(diagnosis) {
    this.diagnosis = diagnosis;
    const {nav} = this.context;
    const {state, summary, window, baseline} = diagnosis;
    updateMark(this.mark, stateOf(state).mark, stateOf(state).word);
    setText(this.when, `${clock(window.start)} to ${clock(window.end)}${baseline === null ? '' : `, against ${clock(baseline.start)} to ${clock(baseline.end)}`}.`);
    setAttr(this.when, 'title', moment(window.end));
    setAttr(this.whole, 'href', placeUrl(nav.elsewhere('diagnosis', {id: this.service, to: nav.place.cursor === null ? nav.place.to : window.end})));
    setText(this.summary, undirected(summary));
    const placed = inOrder(diagnosis.verdicts);
    this.cards.show(this.first, placed.slice(0, 1), diagnosis, {hasActions: false, opensFirst: false, words: () => 'Root cause'});
    this.rest.show(this.others, placed.slice(1), diagnosis, {hasActions: true, opensFirst: false, words: () => 'Beside it, on its own'});
    const next = placed[0]?.verdict.next ?? [];
    this.todo.hidden = next.length === 0;
    this.actions.show(next);
    this.path.show(diagnosis);
    this.found.hidden = diagnosis.path.length === 0;
    this.found.open ||= placed.length === 0;
  }

  /** What is judged and what it is compared with, to be marked on the charts. */
  marks() {
    if (!this.isOpen || this.diagnosis === null) {
      return [];
    }
    const {window, baseline} = this.diagnosis;
    return [...(baseline === null ? [] : [{kind: 'baseline', word: 'before', ...baseline}]), {kind: 'window', word: 'judged', ...window}];
  }

  /** @returns {Map<string, number>} what signals of the service as a whole were held against */
  thresholds() {
    const list = this.isOpen ? (this.diagnosis?.verdicts ?? []).flatMap(({evidence}) => evidence) : [];
    return new Map(list.filter(({threshold, service}) => threshold !== null && service === null).map(({signal, threshold}) => [signal, threshold]));
  }

  destroy() {
    this.cards.destroy();
    this.rest.destroy();
  }
}
