/** A part of a page that is closed at first. Closed, it neither asks nor draws. */

import {absentLine, titlesOf} from './absence.js';
import {h, setAttr} from './dom.js';

export class Fold {
  /**
   * @param {object} what
   * @param {string} what.id stands in the URL while it is open
   * @param {string} what.title
   * @param {string} what.note said after the title
   * @param {string[]} what.signals what is in it
   * @param {() => Element[]} what.fill makes what is in it, when it is first opened
   * @param {any} context
   */
  constructor({id, title, note, signals, fill}, context) {
    this.id = id;
    this.signals = signals;
    this.context = context;
    this.fill = fill;
    this.isOpen = false;
    this.body = h('div', {class: 'panels', hidden: true});
    this.button = h('button', {type: 'button', class: 'fold-title', 'aria-expanded': 'false', onclick: () => this.toggle()}, title, h('span', {class: 'muted'}, ` ${note}`));
    this.node = h('section', {class: 'fold', 'data-fold': id}, this.button, this.body);
  }

  /** Opens it if the URL says so. */
  begin() {
    if (this.context.nav.place.open.includes(this.id)) {
      this.open();
    }
    return this;
  }

  toggle() {
    if (this.isOpen) {
      this.close();
    } else {
      this.open();
    }
    this.context.nav.toggleOpen(this.id, this.isOpen);
    this.context.again();
  }

  open() {
    this.set(true);
    if (this.body.childElementCount === 0) {
      this.body.append(...this.fill());
    }
  }

  close() {
    this.set(false);
  }

  set(isOpen) {
    this.isOpen = isOpen;
    this.body.hidden = !isOpen;
    setAttr(this.button, 'aria-expanded', String(isOpen));
  }
}

/**
 * Folds of which nothing is there: their titles with the reason, and the line that would bring them; those with one
 * reason are told together. There is nothing to open.
 *
 * @param {{id: string, title: string, group: import('./absence.js').AbsentGroup}[]} folds
 * @returns {Element[]}
 */
export function absentFolds(folds) {
  const byKey = new Map();
  folds.forEach((fold) => byKey.set(fold.group.key, [...(byKey.get(fold.group.key) ?? []), fold]));
  return [...byKey.values()].map((list) => {
    const title = `${list.map((fold) => fold.title).join(', ')}: absent.`;
    return h('section', {class: 'fold absent-fold', 'data-fold': list.map((fold) => fold.id).join(' ')}, absentLine(list[0].group, title));
  });
}

/** All that a service doesn't tell, each reason once. */
export function absentList(groups, vocabulary) {
  return h('div', {class: 'absent-list'}, groups.map((group) => absentLine(group, titlesOf(group.signals, vocabulary))));
}
