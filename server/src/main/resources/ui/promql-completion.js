/** What can stand at the caret of a query: names from the server, functions with their help, and how each is put in. */

import {h} from './dom.js';
import {KEYWORDS} from './promql-lexer.js';

/**
 * @typedef {object} Offer
 * @property {string} name
 * @property {'function'|'aggregation'|'keyword'|'metric'|'label'|'value'|'duration'} kind
 * @property {string} detail type or signature
 * @property {string} help a sentence, or empty
 * @property {boolean} [experimental]
 *
 * @typedef {object} Insertion
 * @property {string} text
 * @property {number} caret where it stands afterwards, from the start of the text
 * @property {number} eaten how many units behind the caret it replaces
 * @property {boolean} more whether offers follow at once
 */

const MAX_OFFERS = 50;
const FRESH_MS = 60_000;
const MAX_LISTS = 60;
/** Enough for the metrics of most servers; above it the server is asked to search. */
const MAX_METRICS = 20_000;
const MAX_LABELS = 1000;
const MAX_VALUES = 1000;
const MAX_METADATA = 20_000;

const DURATIONS = ['30s', '1m', '2m', '5m', '10m', '15m', '30m', '1h', '6h', '1d'];
/** Offered before their neighbours in the alphabet. */
const COMMON = ['rate', 'sum', 'increase', 'histogram_quantile', 'avg', 'max', 'min', 'count', 'topk', 'avg_over_time', 'max_over_time', 'by', 'without', 'on', 'offset'];
const PLAIN_METRIC = /^[A-Za-z_:][\w:]*$/;
const PLAIN_LABEL = /^[A-Za-z_]\w*$/;
const BEFORE_PAREN = new Set(['by', 'without', 'on', 'ignoring', 'group_left', 'group_right', 'fill', 'fill_left', 'fill_right']);
const AFTER_OPERATOR = new Set(['on', 'ignoring', 'bool']);

/**
 * How well a name answers to what was typed; the higher the better, 0 if it doesn't. Every part of the word has to be
 * there in order, so `http tot` and `http_tot` both find `http_requests_total`.
 *
 * @param {string} name
 * @param {string} word
 * @returns {number}
 */
export function score(name, word) {
  const [hay, needle] = [name.toLowerCase(), word.toLowerCase()];
  const at = hay.indexOf(needle);
  if (at === 0) {
    return hay.length === needle.length ? 5 : 4;
  }
  if (at > 0) {
    return /[a-z0-9]/.test(hay[at - 1]) ? 2 : 3;
  }
  let from = 0;
  for (const part of needle.split(/[_:\s]+/)) {
    const found = hay.indexOf(part, from);
    if (found < 0) {
      return 0;
    }
    from = found + part.length;
  }
  return 1;
}

/**
 * The best offers first; among equals the order given stays.
 *
 * @param {Offer[]} offers
 * @param {string} word
 * @param {number} [max]
 * @returns {Offer[]}
 */
export function ranked(offers, word, max = MAX_OFFERS) {
  if (word === '') {
    return offers.slice(0, max);
  }
  const scored = [];
  for (const offer of offers) {
    const points = score(offer.name, word);
    if (points > 0 && offer.name !== word) {
      scored.push({offer, points});
    }
  }
  return scored
    .sort((a, b) => b.points - a.points)
    .slice(0, max)
    .map(({offer}) => offer);
}

/** @returns {string} a name as it may stand in a query, quoted where it must be */
export function labelName(name) {
  return PLAIN_LABEL.test(name) ? name : JSON.stringify(name);
}

function escapedFor(quote, text) {
  return quote === '`' ? text : text.replace(/[\\\n\t]/g, (c) => ({'\\': '\\\\', '\n': '\\n', '\t': '\\t'})[c]).replaceAll(quote, `\\${quote}`);
}

function regexQuoted(text) {
  return text.replace(/[\\^$.|?*+()[\]{}]/g, '\\$&');
}

/**
 * How an offer is put in at what is being typed.
 *
 * @param {Offer} offer
 * @param {import('./promql-lexer.js').Typed} typed
 * @param {string} rest of the text behind the caret
 * @returns {Insertion}
 */
export function insertion({name, kind}, typed, rest) {
  const plain = (text, more = false) => ({text, caret: text.length, eaten: 0, more});
  switch (kind) {
    case 'function':
    case 'aggregation':
      return /^\s*\(/.test(rest) ? plain(name) : {text: `${name}()`, caret: name.length + 1, eaten: 0, more: false};
    case 'keyword':
      return BEFORE_PAREN.has(name) && !/^\s*\(/.test(rest) ? {text: `${name} ()`, caret: name.length + 2, eaten: 0, more: true} : plain(`${name} `);
    case 'metric':
      return plain(PLAIN_METRIC.test(name) ? name : `{${JSON.stringify(name)}}`);
    case 'label':
      return typed.kind === 'grouping' || /^\s*[=!]/.test(rest) ? plain(labelName(name)) : {text: `${labelName(name)}=""`, caret: labelName(name).length + 2, eaten: 0, more: true};
    case 'value':
      return valueInsertion(name, typed, rest);
    case 'duration':
      return plain(name);
  }
}

function valueInsertion(name, {operator, quote}, rest) {
  const isRegex = operator.endsWith('~');
  const text = escapedFor(quote, isRegex ? regexQuoted(name) : name);
  const line = rest.split('\n', 1)[0];
  const end = line.indexOf(quote);
  // What stands between the caret and the closing quote is the old value's end, unless an alternative follows.
  const old = end < 0 ? 0 : isRegex && /[|)]/.test(line.slice(0, end)) ? line.slice(0, end).search(/[|)]/) : end;
  const closes = end < 0 ? quote : '';
  return {text: text + closes, caret: text.length + 1, eaten: old, more: false};
}

/** Knows the names; asks the server for as few as it can and keeps them for a minute. */
export class Completion {
  /** @param {import('./client.js').Client} client */
  constructor(client) {
    this.client = client;
    /** @type {Map<string, {at: number, list: Promise<any>}>} */
    this.kept = new Map();
  }

  /**
   * @param {import('./promql-lexer.js').Typed} typed
   * @returns {Promise<Offer[]>} the best ones
   */
  async offers(typed) {
    switch (typed.kind) {
      case 'operand':
        return ranked([...(await this.words(['function', 'aggregation'])), ...(await this.connectives(typed)), ...(await this.metrics(typed.word))], typed.word);
      case 'operator':
        return ranked((await this.words(['keyword'])).filter(({name}) => KEYWORDS.has(name)), typed.word);
      case 'label':
      case 'grouping':
        return ranked(await this.labels(typed), typed.word);
      case 'value':
        return ranked(await this.values(typed), typed.word);
      case 'duration':
        return ranked(DURATIONS.map((name) => ({name, kind: 'duration', detail: '', help: ''})), typed.word);
    }
  }

  /** Fetches what will be wanted first. */
  warm() {
    this.words(['function']);
    this.metrics('');
  }

  async words(kinds) {
    const all = await this.fetched('words', () => fetchWords());
    return all.filter(({kind}) => kinds.includes(kind));
  }

  async connectives({word}) {
    return word.length < 2 ? [] : (await this.words(['keyword'])).filter(({name}) => AFTER_OPERATOR.has(name));
  }

  /** @returns {Promise<Offer[]>} */
  async metrics(word) {
    const [names, metadata] = await Promise.all([this.names('/api/v1/label/__name__/values', [], MAX_METRICS, '__name__', word), this.metadata()]);
    return names.map((name) => {
      const {type = '', help = ''} = described(metadata, name);
      return {name, kind: 'metric', detail: type === 'unknown' ? '' : type, help};
    });
  }

  async labels({selectors, word}) {
    const names = await this.names('/api/v1/labels', selectors, MAX_LABELS, null, word);
    return names.filter((name) => name !== '__name__').map((name) => ({name, kind: 'label', detail: '', help: ''}));
  }

  async values({label, selectors, word}) {
    const names = await this.names(`/api/v1/label/${encodeURIComponent(label)}/values`, selectors, MAX_VALUES, label, word);
    return names.map((name) => ({name, kind: 'value', detail: '', help: ''}));
  }

  metadata() {
    return this.fetched('metadata', async () => (await this.client.ask(`/api/v1/metadata?limit=${MAX_METADATA}&limit_per_metric=1`)).data);
  }

  /**
   * A list of names. If there are more than the limit, those that begin with the word are asked for.
   *
   * @param {string|null} label whose values they are, null if the server can't search among them
   */
  async names(path, selectors, limit, label, word) {
    const all = await this.list(path, selectors, limit);
    if (all.length < limit || label === null || word === '') {
      return all;
    }
    const matcher = `${labelName(label)}=~${JSON.stringify(`.*${regexQuoted(word)}.*`)}`;
    const narrowed = selectors.length === 0 ? [`{${matcher}}`] : selectors.map((selector) => (selector.endsWith('}') ? `${selector.slice(0, -1)},${matcher}}` : `${selector}{${matcher}}`));
    return this.list(path, narrowed, limit);
  }

  list(path, selectors, limit) {
    const query = new URLSearchParams([...selectors.map((selector) => ['match[]', selector]), ['limit', String(limit)]]);
    return this.fetched(`${path}?${query}`, async () => (await this.client.ask(`${path}?${query}`)).data);
  }

  /** What was fetched under a key within the last minute, else fetched anew; nothing if the server doesn't give it. */
  fetched(key, fetchIt) {
    const kept = this.kept.get(key);
    if (kept && Date.now() - kept.at < FRESH_MS) {
      return kept.list;
    }
    const list = fetchIt().catch(() => {
      this.kept.delete(key);
      return [];
    });
    this.kept.delete(key);
    this.kept.set(key, {at: Date.now(), list});
    if (this.kept.size > MAX_LISTS) {
      this.kept.delete(this.kept.keys().next().value);
    }
    return list;
  }
}

async function fetchWords() {
  const {functions, aggregations, keywords} = await (await fetch('/ui/promql-words.json')).json();
  const offer = (kind) => ({name, signature = '', help, experimental = false}) => ({name, kind, detail: signature, help, experimental});
  const offers = [...functions.map(offer('function')), ...aggregations.map(offer('aggregation')), ...keywords.map(offer('keyword'))];
  const rank = ({name}) => (COMMON.indexOf(name) + COMMON.length + 1) % (COMMON.length + 1);
  return offers.sort((a, b) => rank(a) - rank(b));
}

/** The metadata of a series' name, which may be a part of a histogram or summary. */
function described(metadata, name) {
  const entry = metadata[name] ?? metadata[name.replace(/_(?:bucket|count|sum|total|created|info)$/, '')];
  return entry?.[0] ?? {};
}

/** What is said about an offer beside the list. */
export function offerHelp({name, kind, detail, help, experimental}) {
  return [
    h('code', {class: 'offer-signature'}, kind === 'metric' || detail === '' ? name : detail),
    kind === 'metric' && detail !== '' && h('span', {class: 'muted'}, detail),
    experimental && h('span', {class: 'muted'}, 'experimental: only if the server was started with --enable-feature'),
    help !== '' && h('p', {}, help),
  ].filter(Boolean);
}
