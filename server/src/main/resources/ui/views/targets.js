/** Targets: what is scraped, and what is to be said about all of it together. */

import {h, setText} from '../dom.js';
import {undirected} from '../format.js';
import {TargetTable, targetsSentence} from '../target-table.js';

/** The page of targets. */
export class TargetsView {
  constructor(context) {
    this.context = context;
    this.title = 'Targets';
    this.sentence = h('p', {class: 'sentence', 'aria-live': 'polite'});
    this.table = new TargetTable(() => context.client.now(), context);
    this.node = h('div', {class: 'page targets-page'}, this.sentence, context.filter.node, h('div', {class: 'scroll'}, this.table.node));
    this.targets = null;
  }

  async refresh(signal, reason) {
    if (reason === 'place' && this.targets !== null) {
      this.show();
      return;
    }
    this.targets = await this.context.client.targets(signal);
    this.show();
  }

  show() {
    setText(this.sentence, undirected(targetsSentence(this.targets)));
    this.table.show(this.targets, this.context.nav.place.filter);
  }

  destroy() {}
}
