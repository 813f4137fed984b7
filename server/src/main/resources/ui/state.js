/** Time and scope: what is looked at, kept in the URL so that a link shows another person the same picture. */

import {queryStep} from './ticks.js';

/**
 * @typedef {object} Place what the URL says
 * @property {'overview'|'service'|'diagnosis'|'incidents'|'gpus'|'targets'|'target'|'query'|'demo'|'missing'} page
 * @property {string} id of the service on a service's page and on the diagnosis (empty there for the worst), of the target on a target's
 *     page, else empty
 * @property {number} span length of the time range, seconds
 * @property {number|null} to end of the time range, seconds; null while it follows the present
 * @property {number|null} cursor the moment pointed at, seconds
 * @property {string[]} open panels and folds that are open
 * @property {boolean} split one series a replica instead of one a service
 * @property {Query[]} queries of the query page, at least one
 * @property {string} reveal a signal to be brought into sight, once
 * @property {string} filter what `/` narrows the rows to
 * @property {number} judged length of the stretch that a diagnosis judges, seconds
 *
 * @typedef {object} Query one of the queries of the query page
 * @property {string} q PromQL
 * @property {'table'|'graph'|'heat'} view
 * @property {boolean} explain
 * @property {string} group which histogram the heat map shows, as its labels; empty for the first
 */

/** Pages whose path is their name. */
const PLAIN_PAGES = ['incidents', 'gpus', 'targets', 'query', 'demo'];

export const VIEWS = ['table', 'graph', 'heat'];

/** The most queries of one page. */
export const MAX_QUERIES = 12;

export const RANGES = [
  ['15m', 900],
  ['1h', 3600],
  ['6h', 21600],
  ['24h', 86400],
];

export const DEFAULT_SPAN = 900;
/** The stretch that a diagnosis judges. */
export const DEFAULT_JUDGED = 300;
const MIN_SPAN = 10;
const MAX_SPAN = 400 * 86400;
const UNITS = [
  ['d', 86400],
  ['h', 3600],
  ['m', 60],
  ['s', 1],
];

/**
 * @param {string} text such as `15m`, `90s`, `1d`
 * @returns {number|null} seconds
 */
export function parseSpan(text) {
  const match = /^(\d{1,8})([smhd])$/.exec(text);
  const seconds = match ? Number(match[1]) * new Map(UNITS).get(match[2]) : 0;
  return seconds >= MIN_SPAN && seconds <= MAX_SPAN ? seconds : null;
}

/**
 * @param {number} seconds
 * @returns {string}
 */
export function formatSpan(seconds) {
  const [unit, factor] = UNITS.find(([name, size]) => seconds % size === 0 && !(name === 'd' && seconds === 86400));
  return `${seconds / factor}${unit}`;
}

/**
 * The path of a service's page. Slashes of the id stay readable where a browser would leave them alone.
 *
 * @param {string} id
 * @returns {string}
 */
export function servicePath(id) {
  return `/services/${pathOfId(id)}`;
}

/** The path of the diagnosis of a service; of the worst one if it is empty. */
export function diagnosisPath(id) {
  return id === '' ? '/diagnosis' : `/diagnosis/${pathOfId(id)}`;
}

function pathOfId(id) {
  const segments = id.split('/');
  const plain = segments.every((segment) => segment !== '' && segment !== '.' && segment !== '..');
  return plain ? segments.map(encodeURIComponent).join('/') : encodeURIComponent(id);
}

/** The path of a target's page, by its instance (`host:port`) or its address. */
export function targetPath(target) {
  return `/targets/${encodeURIComponent(target)}`;
}

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** @returns {{page: Place['page'], id: string}} */
function parsePath(path) {
  if (path === '/' || path === '' || path === '/overview') {
    return {page: 'overview', id: ''};
  }
  if (path.startsWith('/services/') && path.length > '/services/'.length) {
    return {page: 'service', id: decoded(path.slice('/services/'.length))};
  }
  if (path === '/diagnosis' || path.startsWith('/diagnosis/')) {
    return {page: 'diagnosis', id: decoded(path.slice('/diagnosis/'.length))};
  }
  if (path.startsWith('/targets/') && path.length > '/targets/'.length) {
    return {page: 'target', id: decoded(path.slice('/targets/'.length))};
  }
  if (PLAIN_PAGES.includes(path.slice(1))) {
    return {page: /** @type {Place['page']} */ (path.slice(1)), id: ''};
  }
  return {page: 'missing', id: ''};
}

function finite(text) {
  return text !== null && /^\d{1,12}(\.\d{1,3})?$/.test(text) ? Number(text) : null;
}

/**
 * @param {string} path
 * @param {string} search
 * @returns {Place}
 */
export function parse(path, search) {
  const query = new URLSearchParams(search);
  return {
    ...parsePath(path),
    span: parseSpan(query.get('range') ?? '') ?? DEFAULT_SPAN,
    to: finite(query.get('to')),
    cursor: finite(query.get('cursor')),
    open: (query.get('open') ?? '').split(',').filter((name) => name !== ''),
    split: query.get('by') === 'instance',
    queries: parseQueries(query),
    reveal: query.get('signal') ?? '',
    filter: query.get('filter') ?? '',
    judged: parseSpan(query.get('window') ?? '') ?? DEFAULT_JUDGED,
  };
}

/**
 * @param {string} [q]
 * @param {Partial<Query>} [more]
 * @returns {Query}
 */
export function newQuery(q = '', more = {}) {
  return {q, view: 'table', explain: false, group: '', ...more};
}

/** Each `q` begins a query, and what follows up to the next belongs to it; what comes before the first, to the first. */
function parseQueries(params) {
  const queries = [newQuery()];
  let seen = false;
  for (const [name, value] of params) {
    if (name === 'q' && seen) {
      queries.push(newQuery(value));
    } else if (name === 'q') {
      queries[0].q = value;
      seen = true;
    } else if (name === 'view' && VIEWS.includes(value)) {
      queries.at(-1).view = value;
    } else if (name === 'explain') {
      queries.at(-1).explain = value === '1';
    } else if (name === 'group') {
      queries.at(-1).group = value;
    }
  }
  return queries.slice(0, MAX_QUERIES);
}

function putQueries(query, queries) {
  for (const {q, view, explain, group} of queries) {
    const named = q !== '' || queries.length > 1;
    const entries = [named && ['q', q], view !== 'table' && ['view', view], explain && ['explain', '1'], group !== '' && ['group', group]];
    entries.filter(Boolean).forEach(([name, value]) => query.append(name, value));
  }
}

/**
 * The URL of a place; what is as by default is left out.
 *
 * @param {Place} place
 * @returns {string}
 */
export function format(place) {
  const query = new URLSearchParams();
  const put = (name, value) => value && query.set(name, value);
  putQueries(query, place.page === 'query' ? place.queries : []);
  put('range', place.span !== DEFAULT_SPAN && formatSpan(place.span));
  put('to', place.to !== null && String(place.to));
  put('cursor', place.cursor !== null && String(place.cursor));
  put('by', place.split && 'instance');
  put('open', place.open.join(','));
  put('signal', place.reveal);
  put('filter', place.filter);
  put('window', place.judged !== DEFAULT_JUDGED && formatSpan(place.judged));
  const search = query.toString();
  return pathOf(place) + (search === '' ? '' : `?${search}`);
}

function pathOf(place) {
  switch (place.page) {
    case 'service':
      return servicePath(place.id);
    case 'target':
      return targetPath(place.id);
    case 'diagnosis':
      return diagnosisPath(place.id);
    default:
      return PLAIN_PAGES.includes(place.page) ? `/${place.page}` : '/';
  }
}

/**
 * The stretch of time to ask for. Its ends lie on whole steps, so that a live chart moves by whole points.
 *
 * @param {Place} place
 * @param {number} now seconds, of the server
 * @param {number} [points]
 * @returns {import('./types.js').Window}
 */
export function windowOf(place, now, points) {
  const step = queryStep(place.span, points);
  const end = Math.floor((place.to ?? now) / step) * step;
  return {start: end - Math.ceil(place.span / step) * step, end, step};
}

/**
 * The same with the end on the moment when it was first asked for, so that even a long range begins with what is newest;
 * from there it moves by whole steps.
 *
 * @param {Place} place
 * @param {number} anchor seconds
 * @param {number} now
 * @returns {import('./types.js').Window}
 */
export function anchoredWindow(place, anchor, now) {
  const step = queryStep(place.span);
  const end = place.to ?? anchor + Math.max(0, Math.floor((now - anchor) / step)) * step;
  return {start: end - Math.ceil(place.span / step) * step, end, step};
}

/**
 * @param {Place} place
 * @param {number} now
 * @returns {number} the moment that "current value" means
 */
export function momentOf(place, now) {
  return place.to ?? now;
}

/**
 * The range moved by a share of its length; moving past the present goes live.
 *
 * @returns {Partial<Place>}
 */
export function moved(place, share, now) {
  const to = Math.round((place.to ?? now) + place.span * share);
  return {to: to >= now ? null : to, cursor: null};
}

/**
 * The range made longer (factor above 1) or shorter around its middle, or around the present while live.
 *
 * @returns {Partial<Place>}
 */
export function zoomed(place, factor, now) {
  const span = clampSpan(Math.round(place.span * factor));
  if (place.to === null) {
    return {span};
  }
  const to = Math.round(place.to + (span - place.span) / 2);
  return {span, to: to >= now ? null : to};
}

/**
 * The range between two moments.
 *
 * @returns {Partial<Place>}
 */
export function between(from, to) {
  const start = Math.floor(Math.min(from, to));
  const span = clampSpan(Math.ceil(Math.max(from, to)) - start);
  return {span, to: start + span, cursor: null};
}

function clampSpan(span) {
  return Math.min(MAX_SPAN, Math.max(MIN_SPAN, span));
}

/** Where we are, and how to go elsewhere. Listeners hear of every change, wherever it came from. */
export class Navigator {
  /** @param {globalThis.Window} browser */
  constructor(browser) {
    this.browser = browser;
    this.listeners = [];
    this.place = parse(browser.location.pathname, browser.location.search);
    browser.addEventListener('popstate', () => {
      this.place = parse(browser.location.pathname, browser.location.search);
      this.tell();
    });
  }

  /** @param {(place: Place) => void} listener */
  listen(listener) {
    this.listeners.push(listener);
  }

  tell() {
    this.listeners.forEach((listener) => listener(this.place));
  }

  /**
   * @param {Partial<Place>} patch
   * @param {{replace?: boolean, silent?: boolean}} [how] `replace` leaves no entry in the browser's history;
   *     `silent` doesn't tell the listeners
   */
  go(patch, {replace = false, silent = false} = {}) {
    this.place = {...this.place, ...patch};
    const url = format(this.place);
    if (replace) {
      this.browser.history.replaceState(null, '', url);
    } else if (url !== this.browser.location.pathname + this.browser.location.search) {
      this.browser.history.pushState(null, '', url);
    }
    if (!silent) {
      this.tell();
    }
  }

  /**
   * The place that another page would have: it keeps the time and drops what belongs to this page.
   *
   * @param {Place['page']} page
   * @param {Partial<Place>} [patch]
   * @returns {Place}
   */
  elsewhere(page, patch = {}) {
    const fresh = {page, id: '', cursor: null, open: [], reveal: '', filter: '', queries: [newQuery()]};
    return {...this.place, split: false, ...fresh, ...patch};
  }

  /** @param {string} name of a panel or fold */
  toggleOpen(name, isOpen) {
    const others = this.place.open.filter((other) => other !== name);
    this.go({open: isOpen ? [...others, name] : others}, {replace: true, silent: true});
  }
}
