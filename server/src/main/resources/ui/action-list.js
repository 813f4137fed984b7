/** What to do next: each step with why, what to expect, what it may cost, and the line that shows that it worked. */

import {actionButton, copy, h} from './dom.js';
import {undirected} from './format.js';
import {format as placeUrl, newQuery} from './state.js';
import {confirmation, pieces} from './verdicts.js';

export class ActionList {
  /** @param {{nav: import('./state.js').Navigator}} context */
  constructor(context) {
    this.context = context;
    this.node = h('ol', {class: 'actions'});
    this.key = null;
  }

  /** @param {import('./types.js').Action[]} actions */
  show(actions) {
    const key = JSON.stringify(actions);
    if (key === this.key || this.node.contains(document.activeElement)) {
      return;
    }
    this.key = key;
    this.node.replaceChildren(...actions.map((action) => this.item(action)));
  }

  item({action, why, expect, risk, confirm}) {
    return h(
      'li',
      {class: 'action-step'},
      h('p', {class: 'action-what'}, withCode(action)),
      copies(action),
      h('dl', {class: 'action-facts'}, fact('Why', why), fact('Expect', expect), risk && fact('Risk', risk), this.confirm(confirm)),
    );
  }

  confirm(text) {
    if (!text) {
      return null;
    }
    const {kind, code, should} = confirmation(text);
    const buttons = [kind !== 'words' && actionButton('Copy', 'Copied', () => copy(code), `Copy: ${code}`), kind === 'query' && h('a', {class: 'button small', href: this.queryUrl(code), 'data-nav': true}, 'Open in Query')];
    const shown = kind === 'words' ? withCode(should) : [h('code', {title: code}, code), should && ` ${should} `, h('span', {class: 'buttons'}, buttons)];
    return h('div', {class: 'confirm'}, h('dt', {}, 'It worked if'), h('dd', {}, shown));
  }

  queryUrl(text) {
    const {nav} = this.context;
    return placeUrl(nav.elsewhere('query', {queries: [newQuery(text, {view: 'graph'})], to: nav.place.to}));
  }
}

function fact(name, text) {
  return text && h('div', {}, h('dt', {}, name), h('dd', {}, withCode(text)));
}

/** A text in which flags and commands look like what is typed. */
export function withCode(text) {
  return pieces(undirected(text)).map((piece) => (piece.isCode ? h('code', {}, piece.text) : piece.text));
}

/** A button for each thing in a text that is to be typed somewhere. */
function copies(text) {
  const typed = [...new Set(pieces(undirected(text)).filter(({isCode}) => isCode).map((piece) => piece.text))];
  return typed.length > 0 && h('p', {class: 'buttons'}, typed.map((one) => actionButton(`Copy ${one}`, 'Copied', () => copy(one))));
}
