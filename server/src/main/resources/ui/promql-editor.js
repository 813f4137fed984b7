/** A field for PromQL: marks the place of an error and offers names of metrics, labels and functions. */

import {h, setAttr} from './dom.js';

const MAX_OFFERS = 10;
const NAMES_FRESH_MS = 60_000;

const FUNCTIONS = (
  'sum avg min max count group stddev stdvar topk bottomk quantile count_values rate irate increase delta idelta deriv predict_linear ' +
  'histogram_quantile histogram_avg histogram_count histogram_sum histogram_fraction avg_over_time min_over_time max_over_time sum_over_time ' +
  'count_over_time quantile_over_time stddev_over_time last_over_time present_over_time absent absent_over_time changes resets abs ceil floor round ' +
  'clamp clamp_min clamp_max exp ln log2 log10 sqrt sgn sort sort_desc label_replace label_join scalar vector time timestamp hour minute ' +
  'day_of_week day_of_month month year by without on ignoring group_left group_right offset bool and or unless'
).split(' ');

/**
 * The place that an error message names: `1:5: parse error: ...`, lines and columns from 1.
 *
 * @param {string} message
 * @returns {{line: number, column: number, text: string}|null}
 */
export function errorPlace(message) {
  const match = /(\d{1,6}):(\d{1,6}): (?:parse error: )?([\s\S]*)$/.exec(message);
  return match ? {line: Number(match[1]), column: Number(match[2]), text: match[3]} : null;
}

/**
 * @param {string} text
 * @param {{line: number, column: number}} place
 * @returns {{from: number, to: number}} offsets of what stands there: a word or one character
 */
export function errorSpan(text, {line, column}) {
  const lines = text.split('\n');
  const before = lines.slice(0, line - 1).reduce((sum, other) => sum + other.length + 1, 0);
  const from = Math.min(text.length, before + Math.max(0, column - 1));
  const word = /^(?:[A-Za-z_:][\w:]*|\d[\w.]*|\S)/.exec(text.slice(from));
  return {from, to: from + (word ? word[0].length : 0)};
}

/**
 * What is being typed at the caret.
 *
 * @param {string} text up to the caret
 * @returns {{kind: 'name'|'label'|'value', word: string, label: string}|null}
 */
export function typedAt(text) {
  const value = /([A-Za-z_]\w*)\s*(?:=~|!~|!=|=)\s*"([^"\\]*)$/.exec(text);
  const inside = text.lastIndexOf('{') > text.lastIndexOf('}');
  if (value && inside) {
    return {kind: 'value', word: value[2], label: value[1]};
  }
  if ((text.match(/"/g) ?? []).length % 2 === 1) {
    return null;
  }
  const word = /[A-Za-z_:][\w:]*$/.exec(text)?.[0] ?? '';
  const grouping = /(?:by|without|on|ignoring|group_left|group_right)\s*\(\s*(?:[\w]+\s*,\s*)*[\w]*$/.test(text);
  if (inside || grouping) {
    return {kind: 'label', word, label: ''};
  }
  return word.length < 2 ? null : {kind: 'name', word, label: ''};
}

/** Names that contain the word, those that begin with it first. */
export function matching(names, word, max = MAX_OFFERS) {
  const needle = word.toLowerCase();
  const begins = [];
  const contains = [];
  for (const name of names) {
    const at = name.toLowerCase().indexOf(needle);
    if (at >= 0 && name !== word) {
      (at === 0 ? begins : contains).push(name);
    }
  }
  return [...begins, ...contains].slice(0, max);
}

export class PromqlEditor {
  /**
   * @param {import('./client.js').Client} client
   * @param {(text: string) => void} run
   */
  constructor(client, run) {
    this.client = client;
    this.run = run;
    this.lists = new Map();
    this.offers = [];
    this.chosen = 0;
    this.input = h('textarea', {class: 'promql', rows: 1, spellcheck: 'false', autocomplete: 'off', autocapitalize: 'off', 'aria-label': 'PromQL', 'aria-autocomplete': 'list', 'aria-controls': 'promql-offers', placeholder: 'PromQL, for example  up'});
    this.under = h('pre', {class: 'promql under', 'aria-hidden': 'true'});
    this.list = h('ul', {class: 'offers', id: 'promql-offers', role: 'listbox', hidden: true});
    this.node = h('div', {class: 'editor'}, this.under, this.input, this.list);
    this.input.addEventListener('input', () => this.changed());
    this.input.addEventListener('keydown', (event) => this.key(event));
    this.input.addEventListener('blur', () => setTimeout(() => this.close(), 150));
    this.input.addEventListener('scroll', () => (this.under.scrollTop = this.input.scrollTop));
  }

  get text() {
    return this.input.value;
  }

  set text(text) {
    if (text !== this.input.value) {
      this.input.value = text;
      this.grow();
    }
    this.mark(null);
  }

  changed() {
    this.mark(null);
    this.grow();
    this.offer();
  }

  grow() {
    this.input.rows = Math.min(12, this.text.split('\n').length + Math.floor(this.text.length / 110));
  }

  /** Underlines the place of an error; null takes the mark away. */
  mark(place) {
    setAttr(this.input, 'aria-invalid', place !== null && 'true');
    if (place === null) {
      this.under.replaceChildren();
      return;
    }
    const {from, to} = errorSpan(this.text, place);
    const wrong = this.text.slice(from, to);
    this.under.replaceChildren(this.text.slice(0, from), h('mark', {}, wrong === '' ? ' ' : wrong), this.text.slice(to));
  }

  key(event) {
    if (!this.list.hidden && this.offerKey(event)) {
      event.preventDefault();
      event.stopPropagation();
    } else if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault();
      this.close();
      this.run(this.text.trim());
    }
  }

  /** @returns {boolean} whether the key was for the list of offers */
  offerKey({key, ctrlKey}) {
    switch (key) {
      case 'ArrowDown':
      case 'ArrowUp':
        this.chosen = (this.chosen + (key === 'ArrowDown' ? 1 : this.offers.length - 1)) % this.offers.length;
        this.moved = true;
        this.showOffers();
        return true;
      case 'Tab':
        this.accept(this.offers[this.chosen]);
        return true;
      case 'Enter':
        if (this.moved && !ctrlKey) {
          this.accept(this.offers[this.chosen]);
          return true;
        }
        return false;
      case 'Escape':
        this.close();
        return true;
      default:
        return false;
    }
  }

  async offer() {
    const typed = typedAt(this.text.slice(0, this.input.selectionStart));
    if (typed === null) {
      this.close();
      return;
    }
    const names = await this.names(typed);
    if (document.activeElement !== this.input) {
      return;
    }
    this.offers = matching(names, typed.word);
    this.typed = typed;
    this.chosen = 0;
    this.moved = false;
    this.showOffers();
  }

  /** @returns {Promise<string[]>} */
  async names({kind, label}) {
    switch (kind) {
      case 'label':
        return this.fetched('/api/v1/labels?limit=2000');
      case 'value':
        return this.fetched(`/api/v1/label/${encodeURIComponent(label)}/values?limit=2000`);
      default:
        return [...(await this.fetched('/api/v1/label/__name__/values?limit=20000')), ...FUNCTIONS];
    }
  }

  async fetched(path) {
    const kept = this.lists.get(path);
    if (kept && Date.now() - kept.at < NAMES_FRESH_MS) {
      return kept.names;
    }
    const names = this.client.ask(path).then(({data}) => data, () => []);
    this.lists.set(path, {at: Date.now(), names});
    return names;
  }

  showOffers() {
    this.list.hidden = this.offers.length === 0;
    this.list.replaceChildren(
      ...this.offers.map((name, i) => h('li', {role: 'option', 'aria-selected': String(i === this.chosen), onmousedown: (event) => {
        event.preventDefault();
        this.accept(name);
      }}, name)),
    );
  }

  accept(name) {
    const caret = this.input.selectionStart;
    const from = caret - this.typed.word.length;
    this.input.setRangeText(name, from, caret, 'end');
    this.changed();
    this.close();
  }

  close() {
    this.offers = [];
    this.list.hidden = true;
  }
}
