/** A verdict: the cause, how sure, where, since when, what it costs, and what was measured for and against it. */

import {ActionList} from './action-list.js';
import {h, reconcile, setAttr, setText} from './dom.js';
import {EvidenceRows} from './evidence-rows.js';
import {clock, duration, undirected} from './format.js';
import {targetPath} from './state.js';
import {byLayer, causeWords, effectWords, layerWord, scopeWords, sureness, verdictKey} from './verdicts.js';

export class VerdictCard {
  /**
   * @param {string} key
   * @param {any} context of the view
   * @param {boolean} hasActions whether what to do stands in the card
   */
  constructor(key, context, hasActions) {
    this.key = key;
    this.context = context;
    const id = `e.${key.replaceAll(/[,\s]/g, '_')}`;
    this.place = h('p', {class: 'verdict-place muted'});
    this.title = h('h3');
    this.sure = h('span', {class: 'sure'}, h('span', {class: 'sure-word'}), ' ', h('span', {class: 'sure-number muted'}), h('span', {class: 'sure-bar', 'aria-hidden': 'true'}, h('span')));
    this.says = h('p', {class: 'verdict-says'});
    this.facts = h('dl', {class: 'verdict-facts'});
    this.evidence = new EvidenceRows(id, context);
    this.against = new EvidenceRows(`${id}.against`, context);
    this.againstTitle = h('h4', {}, 'What speaks against it');
    this.none = h('p', {class: 'muted'}, 'Nothing that was measured speaks against it.');
    this.actions = hasActions ? new ActionList(context) : null;
    this.about = h('details', {class: 'about-cause', hidden: true}, h('summary', {}, 'What this is, and how it is told from what looks like it'));
    this.node = h(
      'article',
      {class: 'verdict', 'data-key': key},
      h('header', {}, this.place, h('div', {class: 'verdict-title'}, this.title, this.sure)),
      this.says,
      this.facts,
      h('h4', {}, 'What speaks for it'),
      h('div', {class: 'scroll'}, this.evidence.node),
      this.againstTitle,
      h('div', {class: 'scroll'}, this.against.node),
      this.none,
      this.actions && h('details', {class: 'more-actions'}, h('summary', {}, 'What to do about this one'), this.actions.node),
      this.about,
    );
  }

  /**
   * @param {{verdict: import('./types.js').Verdict, depth: number, from: import('./types.js').Verdict|null}} placed
   * @param {import('./types.js').Diagnosis} diagnosis
   * @param {string} placeWords what its place among the others is called
   * @param {boolean} opensFirst
   */
  show({verdict, depth, from}, diagnosis, placeWords, opensFirst) {
    const {node} = this;
    setAttr(node, 'data-cause', verdict.cause);
    setAttr(node, 'data-depth', String(Math.min(depth, 3)));
    setText(this.place, from === null ? placeWords : `Follows from: ${from.title}`);
    setText(this.title, verdict.title);
    const [word, number, bar] = this.sure.children;
    setText(word, sureness(verdict.confidence));
    setText(number, verdict.confidence.toFixed(2));
    bar.firstElementChild.style.setProperty('inline-size', `${(verdict.confidence * 100).toFixed(0)}%`);
    setAttr(this.sure, 'title', `Confidence ${verdict.confidence.toFixed(2)} of 1; below 0.6 nothing is said.`);
    setText(this.says, undirected(verdict.says));
    this.showFacts(verdict, diagnosis);
    this.evidence.show(verdict.evidence, diagnosis.service, opensFirst);
    this.against.show(verdict.against, diagnosis.service, false);
    const isOpposed = verdict.against.length > 0;
    this.against.node.hidden = !isOpposed;
    this.againstTitle.hidden = !isOpposed;
    this.none.hidden = isOpposed;
    this.showAbout(verdict.cause);
    this.actions?.show(verdict.next);
    if (this.actions) {
      this.actions.node.parentElement.hidden = verdict.next.length === 0;
    }
  }

  /** The cause in general, as the program's own list of causes has it. */
  showAbout(id) {
    const cause = this.context.causes.get(id);
    this.about.hidden = cause?.is === undefined;
    if (!this.about.hidden && this.about.dataset.cause !== id) {
      this.about.dataset.cause = id;
      const titleOf = (other) => this.context.causes.get(other)?.title ?? causeWords(other);
      const looks = byLayer(cause.looks).map(({layer, by}) => h('li', {'data-layer': layer}, h('span', {class: 'layer-word'}, layerWord(layer)), h('span', {class: 'because'}, by)));
      const unlike = cause.unlike.map((other) => h('li', {}, h('span', {class: 'cause-name'}, titleOf(other.cause)), h('span', {class: 'because'}, other.by)));
      this.about.append(h('p', {}, cause.is), h('h4', {}, 'How it looks'), h('ul', {class: 'causes'}, looks), h('h4', {}, 'How it differs from'), h('ul', {class: 'causes'}, unlike));
    }
  }

  showFacts(verdict, {window}) {
    const {vocabulary, linkTo} = this.context;
    const where = scopeWords(verdict.scope);
    const cost = effectWords(verdict.effect, vocabulary);
    const lasted = verdict.onset === null ? null : Math.max(0, window.end - verdict.onset);
    const facts = [
      {name: 'Where', text: where || 'The whole service', href: verdict.scope.instance ? linkTo(targetPath(verdict.scope.instance)) : null},
      {name: 'Since', text: verdict.onset === null ? 'Before what is looked at here' : `${clock(verdict.onset)}, for ${duration(lasted)}`},
      {name: 'Costs', text: cost || 'It can’t be told how much', more: verdict.effect.text ? undirected(verdict.effect.text) : ''},
    ];
    reconcile(
      this.facts,
      facts,
      ({name}) => name,
      ({name}) => h('div', {}, h('dt', {}, name), h('dd')),
      (node, {text, href, more}) => {
        const dd = node.lastElementChild;
        const key = JSON.stringify([text, href, more]);
        if (dd.dataset.shown !== key) {
          dd.dataset.shown = key;
          dd.replaceChildren(href ? h('a', {href, 'data-nav': true}, text) : h('span', {}, text), ...(more ? [h('span', {class: 'muted'}, ` ${more}`)] : []));
        }
      },
    );
  }

  refresh(window, abort) {
    return Promise.all([this.evidence.refresh(window, abort), this.against.refresh(window, abort)]);
  }

  repaint() {
    this.evidence.repaint();
    this.against.repaint();
  }

  destroy() {
    this.evidence.destroy();
    this.against.destroy();
    this.node.remove();
  }
}

/**
 * Cards of a list of verdicts, kept by what they are of.
 */
export class VerdictCards {
  constructor(context) {
    this.context = context;
    /** @type {Map<string, VerdictCard>} */
    this.cards = new Map();
  }

  /**
   * @param {Element} container
   * @param {ReturnType<typeof import('./verdicts.js').inOrder>} placed
   * @param {import('./types.js').Diagnosis} diagnosis
   * @param {{hasActions: boolean, opensFirst: boolean, words: (i: number) => string}} how
   */
  show(container, placed, diagnosis, {hasActions, opensFirst, words}) {
    const keys = new Set();
    const items = placed.map((one, i) => ({...one, key: uniqueKey(verdictKey(one.verdict), keys), i}));
    reconcile(
      container,
      items,
      ({key}) => key,
      ({key}) => this.make(key, hasActions).node,
      (_, item) => this.cards.get(item.key).show(item, diagnosis, words(item.i), opensFirst && item.i === 0),
    );
    for (const [key, card] of this.cards) {
      if (!keys.has(key)) {
        card.destroy();
        this.cards.delete(key);
      }
    }
  }

  make(key, hasActions) {
    const card = new VerdictCard(key, this.context, hasActions);
    this.cards.set(key, card);
    return card;
  }

  refresh(window, abort) {
    return Promise.all([...this.cards.values()].map((card) => card.refresh(window, abort)));
  }

  repaint() {
    this.cards.forEach((card) => card.repaint());
  }

  destroy() {
    this.cards.forEach((card) => card.destroy());
    this.cards.clear();
  }
}

function uniqueKey(key, taken) {
  let unique = key;
  for (let i = 2; taken.has(unique); i++) {
    unique = `${key} ${i}`;
  }
  taken.add(unique);
  return unique;
}
