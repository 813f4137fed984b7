/** A field for PromQL: colours it, underlines what messages speak of, and offers what can stand at the caret. */

import {h, setAttr} from './dom.js';
import {insertion, offerHelp} from './promql-completion.js';
import {typedAt} from './promql-lexer.js';
import {errorPlace, marksOf, pieces} from './promql-places.js';

/** A query is checked once nothing was typed for this long. */
const CHECK_AFTER_MS = 350;
/** Longer queries are shown without colours, so that typing stays quick. */
const MAX_COLOURED = 20_000;

const KIND_LETTERS = {function: 'ƒ', aggregation: 'Σ', keyword: 'k', metric: 'm', label: 'l', value: '"', duration: 't'};

let editors = 0;

export class PromqlEditor {
  /**
   * @param {object} does
   * @param {import('./promql-completion.js').Completion} does.completion
   * @param {(text: string) => void} does.run
   * @param {(text: string) => Promise<string|null>} does.check gives what is wrong with a query, null if nothing is known to be
   * @param {(level: string, text: string) => void} does.say shows a message about the query; empty takes it away
   * @param {string} messageId id of the element that shows it
   */
  constructor({completion, run, check, say}, messageId) {
    this.completion = completion;
    this.run = run;
    this.check = check;
    this.say = say;
    this.id = `promql-${++editors}`;
    this.offers = [];
    this.active = -1;
    this.marks = [];
    this.stretch = null;
    this.asked = 0;
    this.checked = 0;
    this.build(messageId);
  }

  build(messageId) {
    const describes = {'aria-describedby': `${messageId} ${this.id}-keys`, 'aria-label': 'PromQL'};
    const combobox = {role: 'combobox', 'aria-autocomplete': 'list', 'aria-haspopup': 'listbox', 'aria-expanded': 'false', 'aria-controls': `${this.id}-offers`};
    this.input = h('textarea', {class: 'promql', rows: 1, spellcheck: 'false', autocomplete: 'off', autocapitalize: 'off', wrap: 'soft', placeholder: 'PromQL, for example  up', ...combobox, ...describes});
    this.under = h('pre', {class: 'promql under', 'aria-hidden': 'true'});
    this.list = h('ul', {class: 'offers', id: `${this.id}-offers`, role: 'listbox', 'aria-label': 'What can stand here'});
    this.help = h('div', {class: 'offer-help'});
    this.popup = h('div', {class: 'offer-popup', hidden: true}, this.list, this.help);
    const keys = h('span', {class: 'visually-hidden', id: `${this.id}-keys`}, 'Enter runs, Shift Enter makes a new line, Control Space offers what can stand here.');
    this.node = h('div', {class: 'editor'}, h('div', {class: 'editor-field'}, this.under, this.input), this.popup, keys);
    this.input.addEventListener('input', () => this.changed());
    this.input.addEventListener('keydown', (event) => this.key(event));
    this.input.addEventListener('focus', () => this.completion.warm());
    this.input.addEventListener('blur', () => this.close());
    this.input.addEventListener('click', () => this.close());
    this.popup.addEventListener('mousedown', (event) => event.preventDefault());
    this.draw();
  }

  get text() {
    return this.input.value;
  }

  set text(text) {
    if (text !== this.input.value) {
      this.input.value = text;
      this.forget();
      this.draw();
    }
  }

  /** Puts a text in as if it had been typed, so that it can be undone. */
  replace(from, to, text) {
    this.input.focus();
    this.input.setSelectionRange(from, to);
    this.putting = true;
    if (!document.execCommand('insertText', false, text) || this.input.value.slice(from, from + text.length) !== text) {
      this.input.setRangeText(text, from, to, 'end');
    }
    this.putting = false;
  }

  changed() {
    this.forget();
    this.draw();
    this.checkSoon();
    if (!this.putting) {
      this.offer(false);
    }
  }

  /** What was marked belongs to the text as it was. */
  forget() {
    this.marks = [];
    this.stretch = null;
    setAttr(this.input, 'aria-invalid', null);
  }

  checkSoon() {
    clearTimeout(this.checking);
    const checked = ++this.checked;
    this.checking = setTimeout(async () => {
      const {text} = this;
      const wrong = text.trim() === '' ? null : await this.check(text);
      if (checked === this.checked) {
        this.showError(wrong, 'typing');
      }
    }, CHECK_AFTER_MS);
  }

  /** Ends what typing began: the text is asked as it stands. */
  settle() {
    this.close();
    clearTimeout(this.checking);
    this.checked++;
  }

  /**
   * Underlines the place of an error and says it; null takes both away.
   *
   * @param {string|null} message
   * @param {string} [level]
   */
  showError(message, level = 'error') {
    const place = message === null ? null : errorPlace(message);
    this.marks = place === null ? [] : marksOf(this.text, [place], 'error');
    setAttr(this.input, 'aria-invalid', message !== null && 'true');
    this.draw();
    this.say(level, message === null ? '' : place === null ? message : `Line ${place.line}, column ${place.column}: ${place.text}`);
  }

  /**
   * Underlines what warnings and infos speak of.
   *
   * @param {import('./promql-places.js').Place[]} warnings
   * @param {import('./promql-places.js').Place[]} infos
   */
  showNotes(warnings, infos) {
    this.marks = [...marksOf(this.text, warnings, 'warning'), ...marksOf(this.text, infos, 'info')];
    setAttr(this.input, 'aria-invalid', null);
    this.draw();
  }

  /** Shows where a part of the query stands. @param {{from: number, to: number}|null} stretch */
  highlight(stretch) {
    this.stretch = stretch;
    this.draw();
  }

  draw() {
    const {text} = this;
    const coloured = text.length <= MAX_COLOURED ? pieces(text, this.marks, this.stretch) : [{text, kind: '', level: '', stretch: false}];
    const nodes = coloured.map((piece) => h(piece.level === '' ? 'span' : 'mark', {'data-kind': piece.kind || null, 'data-level': piece.level || null, 'data-stretch': piece.stretch}, piece.text));
    const atEnd = this.marks.find(({from}) => from >= text.length);
    this.under.replaceChildren(...nodes, atEnd ? h('mark', {'data-level': atEnd.level}, ' ') : '', '\n');
  }

  key(event) {
    const isOpen = !this.popup.hidden;
    if (event.key === ' ' && event.ctrlKey) {
      event.preventDefault();
      this.offer(true);
    } else if (isOpen && !event.isComposing && this.offerKey(event)) {
      event.preventDefault();
      event.stopPropagation();
    } else if (event.key === 'Enter' && !event.shiftKey && !event.isComposing) {
      event.preventDefault();
      this.run(this.text.trim());
    } else if (event.key === 'Escape') {
      this.input.blur();
    } else if (['ArrowLeft', 'ArrowRight', 'Home', 'End'].includes(event.key)) {
      this.close();
    }
  }

  /** @returns {boolean} whether the key was for the list of offers */
  offerKey({key, ctrlKey, metaKey, shiftKey}) {
    switch (key) {
      case 'ArrowDown':
        this.activate((this.active + 1) % this.offers.length);
        return true;
      case 'ArrowUp':
        this.activate(this.active <= 0 ? this.offers.length - 1 : this.active - 1);
        return true;
      case 'Tab':
        if (!shiftKey) {
          this.accept(this.offers[Math.max(0, this.active)]);
        }
        return !shiftKey;
      case 'Enter':
        if (this.active < 0 || ctrlKey || metaKey || shiftKey) {
          return false;
        }
        this.accept(this.offers[this.active]);
        return true;
      case 'Escape':
        this.close();
        return true;
      default:
        return false;
    }
  }

  /** @param {boolean} wanted whether offers were asked for, so that even an empty word has some */
  async offer(wanted) {
    const asked = ++this.asked;
    const typed = this.input.selectionStart === this.input.selectionEnd ? typedAt(this.text, this.input.selectionStart) : null;
    const isInside = typed !== null && ['label', 'grouping', 'value', 'duration'].includes(typed.kind);
    if (typed === null || (typed.word === '' && !wanted && !isInside)) {
      this.close();
      return;
    }
    const offers = await this.completion.offers(typed);
    if (asked === this.asked && document.activeElement === this.input) {
      this.typed = typed;
      this.open(offers);
    }
  }

  open(offers) {
    this.offers = offers;
    if (offers.length === 0) {
      this.close();
      return;
    }
    this.list.replaceChildren(...offers.map((offer, i) => this.option(offer, i)));
    this.list.scrollTop = 0;
    this.popup.hidden = false;
    setAttr(this.input, 'aria-expanded', 'true');
    this.activate(-1);
    this.placePopup();
  }

  option(offer, i) {
    const attributes = {role: 'option', id: `${this.id}-offer-${i}`, 'data-kind': offer.kind, onclick: () => this.accept(offer)};
    return h('li', attributes, h('span', {class: 'offer-kind', title: offer.kind, 'aria-hidden': 'true'}, KIND_LETTERS[offer.kind]), h('span', {class: 'offer-name'}, found(offer.name, this.typed.word)), offer.kind === 'metric' && offer.detail !== '' && h('span', {class: 'offer-detail'}, offer.detail), i === 0 && h('kbd', {class: 'offer-tab', 'aria-hidden': 'true'}, 'Tab'));
  }

  /** @param {number} active -1 if none is, so that Enter still runs the query */
  activate(active) {
    this.active = active;
    [...this.list.children].forEach((option, i) => setAttr(option, 'aria-selected', String(i === active)));
    setAttr(this.input, 'aria-activedescendant', active < 0 ? null : `${this.id}-offer-${active}`);
    this.list.children[active]?.scrollIntoView({block: 'nearest'});
    const help = offerHelp(this.offers[Math.max(0, active)]);
    this.help.replaceChildren(...help);
    this.help.hidden = this.offers[Math.max(0, active)].detail === '' && this.offers[Math.max(0, active)].help === '';
  }

  /** Below the beginning of the word that is typed, within the field's width. */
  placePopup() {
    const {left, bottom} = this.whereIs(this.typed.from);
    const room = this.node.clientWidth - this.popup.offsetWidth;
    this.popup.style.setProperty('left', `${Math.max(0, Math.min(left, room))}px`);
    this.popup.style.setProperty('top', `${bottom + 3}px`);
  }

  /** The place of a character, found in the coloured copy, which lies exactly under the field. */
  whereIs(index) {
    const box = this.node.getBoundingClientRect();
    const walker = document.createTreeWalker(this.under, NodeFilter.SHOW_TEXT);
    let left = index;
    while (walker.nextNode()) {
      const {length} = walker.currentNode;
      if (left < length || (left === length && walker.currentNode.parentNode === this.under.lastElementChild)) {
        const range = document.createRange();
        range.setStart(walker.currentNode, left);
        range.setEnd(walker.currentNode, Math.min(length, left + 1));
        const at = range.getClientRects()[0] ?? range.getBoundingClientRect();
        return {left: at.left - box.left, bottom: Math.min(at.bottom, box.bottom) - box.top};
      }
      left -= length;
    }
    return {left: 8, bottom: box.height};
  }

  accept(offer) {
    const caret = this.input.selectionStart;
    const typed = typedAt(this.text, caret);
    const {kind, from} = this.typed;
    this.close();
    if (typed === null || typed.kind !== kind || typed.from !== from) {
      // What was offered was for what stood here before the last keys.
      return;
    }
    const {text, caret: after, eaten, more} = insertion(offer, typed, this.text.slice(caret));
    this.replace(from, caret + eaten, text);
    this.input.setSelectionRange(from + after, from + after);
    if (more) {
      this.offer(true);
    }
  }

  close() {
    this.asked++;
    this.offers = [];
    this.active = -1;
    this.list.replaceChildren();
    this.popup.hidden = true;
    setAttr(this.input, 'aria-expanded', 'false');
    setAttr(this.input, 'aria-activedescendant', null);
  }

  destroy() {
    this.settle();
  }
}

/** A name with what was typed in bold. */
function found(name, word) {
  const at = word === '' ? -1 : name.toLowerCase().indexOf(word.toLowerCase());
  return at < 0 ? name : [name.slice(0, at), h('b', {}, name.slice(at, at + word.length)), name.slice(at + word.length)];
}
