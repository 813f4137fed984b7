/** What happened, as bars on the time axis above the charts. */

import {h, reconcile, setAttr} from './dom.js';
import {happeningWords} from './simulation.js';

/** Of more than this the latest are shown. */
const MAX_ROWS = 6;
/** Names stand right of where a bar begins as long as there is more room than on the left. */
const NAMED_LEFT_FROM = 0.55;

export class EventLane {
  /**
   * @param {(time: number) => void} pin puts the cursor of the charts on a moment
   * @param {(one: any) => void} [why] opens the diagnosis of a finding
   */
  constructor(pin, why = ({start}) => pin(start)) {
    this.choose = (one) => (one.kind === 'finding' ? why(one) : pin(one.start));
    this.rows = h('ol', {class: 'lane-rows'});
    this.more = h('p', {class: 'muted', hidden: true});
    this.node = h('section', {class: 'lane', hidden: true, 'aria-label': 'What happened'}, h('h2', {}, 'What happened'), this.rows, this.more);
  }

  /**
   * @param {import('./simulation.js').Happening[]} happened in the order in which it began
   * @param {{start: number, end: number}} window
   */
  show(happened, window) {
    const shown = happened.slice(-MAX_ROWS);
    this.node.hidden = shown.length === 0;
    this.more.hidden = shown.length === happened.length;
    this.more.textContent = `${happened.length - shown.length} before`;
    reconcile(
      this.rows,
      shown,
      (one) => `${one.kind} ${one.title} ${one.on} ${one.start}`,
      (one) => h('li', {}, h('button', {type: 'button', class: 'lane-event', onclick: () => this.choose(one)}, h('span', {class: 'lane-bar', 'aria-hidden': 'true'}), h('span', {class: 'lane-name'}))),
      (row, one) => this.place(row.firstElementChild, one, window),
    );
  }

  place(button, one, {start, end}) {
    const share = (time) => Math.min(1, Math.max(0, (time - start) / (end - start)));
    const from = share(one.start);
    const to = share(one.end ?? end);
    const left = from >= NAMED_LEFT_FROM;
    const percent = (value) => `${(value * 100).toFixed(2)}%`;
    button.style.setProperty('--from', percent(from));
    button.style.setProperty('--to', percent(1 - to));
    button.style.setProperty('--rest', percent(1 - from));
    setAttr(button, 'data-kind', one.kind);
    setAttr(button, 'data-named', left ? 'left' : 'right');
    setAttr(button, 'title', one.says);
    const words = happeningWords(one);
    if (button.lastElementChild.textContent !== words) {
      button.lastElementChild.textContent = words;
    }
  }
}
