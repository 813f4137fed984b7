/** The words of a diagnosis: states, causes, how sure it is, what it costs, and in which order things stand. */

import {format, percent, undirected} from './format.js';

/**
 * What a diagnosis calls a state, and the mark that the pages have for it.
 *
 * @type {Record<string, {mark: import('./types.js').State, word: string, rank: number}>}
 */
const STATES = {
  critical: {mark: 'critical', word: 'Critical', rank: 0},
  degraded: {mark: 'degraded', word: 'Degraded', rank: 1},
  'cannot-tell': {mark: 'unknown', word: 'Cannot tell', rank: 2},
  healthy: {mark: 'ok', word: 'Healthy', rank: 3},
  'no-traffic': {mark: 'idle', word: 'No traffic', rank: 4},
};

/** Layers from the user down to the hardware. */
const LAYERS = ['client', 'gateway', 'request', 'engine', 'gpu', 'host', 'telemetry'];

const LAYER_WORDS = {client: 'Client', gateway: 'Gateway', request: 'Request', engine: 'Engine', gpu: 'GPU', host: 'Host', telemetry: 'Telemetry'};

const SURE = [
  [0.9, 'almost certain'],
  [0.75, 'likely'],
  [0.6, 'more likely than not'],
];

/** @returns {{mark: import('./types.js').State, word: string, rank: number}} */
export function stateOf(state) {
  return Object.hasOwn(STATES, state) ? STATES[state] : STATES['cannot-tell'];
}

/** The word for a service's state, if the diagnosis has another one than the rules. @returns {string|undefined} */
export function stateWord({state, verdict}) {
  return state === 'unknown' && verdict === 'cannot-tell' ? STATES[verdict].word : undefined;
}

/** @returns {boolean} whether users suffer */
export function isBad(state) {
  return state === 'critical' || state === 'degraded';
}

/** @returns {boolean} whether somebody should look: users suffer, or it can't be told */
export function isOpen(state) {
  return isBad(state) || state === 'cannot-tell';
}

export function layerWord(layer) {
  return LAYER_WORDS[layer] ?? layer;
}

function layerRank(layer) {
  const at = LAYERS.indexOf(layer);
  return at < 0 ? LAYERS.length : at;
}

/** @template {{layer: string}} T @param {T[]} list @returns {T[]} by layer, from the user down; in a layer as they were */
export function byLayer(list) {
  return [...list].sort((a, b) => layerRank(a.layer) - layerRank(b.layer));
}

/** Layers in their order, as far as something is in them. */
export function layersOf(list) {
  return LAYERS.filter((layer) => list.some((one) => one.layer === layer));
}

/** How sure a verdict is, in words. */
export function sureness(confidence) {
  return SURE.find(([from]) => confidence >= from)?.[1] ?? 'a guess';
}

/** A cause in words where nothing told its title. */
export function causeWords(cause) {
  const words = cause.replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const INITIALS = /\b(e2e|ttft|tpot|itl|kv|gpu|cpu)\b/gi;

/**
 * What is measured, in words, also where it is no signal but a quantity made of several: `e2e_residual` is "E2E, unexplained".
 *
 * @param {string} signal
 * @param {Map<string, import('./types.js').Signal>} vocabulary
 */
export function signalTitle(signal, vocabulary) {
  const known = vocabulary.get(signal);
  if (known) {
    return known.title;
  }
  const words = signal.replace(/:.*?(?=_residual|$)/, '').replace(/_residual$/, ', unexplained').replaceAll(/[_-]/g, ' ');
  const named = words.replaceAll(INITIALS, (initials) => initials.toUpperCase());
  return named.charAt(0).toUpperCase() + named.slice(1);
}

/** A sentence without the name that stands beside it: the service's, or the last part of it. */
export function nameless(sentence, name) {
  const prefix = [`${name}: `, `${name.slice(name.lastIndexOf('/') + 1)}: `].find((one) => sentence.startsWith(one));
  if (prefix === undefined) {
    return sentence;
  }
  const rest = sentence.slice(prefix.length);
  return rest.charAt(0).toUpperCase() + rest.slice(1);
}

/**
 * What a cause costs: `82 % of time to first token, P95: 9.10 s, 400 ms without it`; empty if that can't be told.
 *
 * @param {import('./types.js').Effect} effect
 * @param {Map<string, import('./types.js').Signal>} vocabulary
 */
export function effectWords({signal, share, value, without}, vocabulary) {
  const known = vocabulary.get(signal);
  const named = signalTitle(signal, vocabulary);
  const title = named.charAt(0).toLowerCase() + named.slice(1);
  const unit = known?.unit ?? '';
  const now = value === null ? '' : format(value, unit);
  const instead = without === null ? '' : `${format(without, unit)} without it`;
  const numbers = [now, instead].filter(Boolean).join(', ');
  if (share !== null) {
    return `${percent(Number(share.toFixed(2)))} % of ${title}${numbers === '' ? '' : `: ${numbers}`}`;
  }
  return numbers === '' ? '' : `${named}: ${numbers}`;
}

/** Where a cause is, in words; empty for the whole service. */
export function scopeWords({instance, gpu}) {
  return undirected([instance, gpu && `GPU ${gpu}`].filter(Boolean).join(', '));
}

/**
 * Verdicts with how far they stand from their root: what follows stands after what it follows from, one step in.
 *
 * @param {import('./types.js').Verdict[]} verdicts
 * @returns {{verdict: import('./types.js').Verdict, depth: number, from: import('./types.js').Verdict|null}[]}
 */
export function inOrder(verdicts) {
  const placed = [];
  const seen = new Set();
  const place = (verdict, depth, from) => {
    if (!seen.has(verdict)) {
      seen.add(verdict);
      placed.push({verdict, depth, from});
      verdicts.filter((other) => other.follows === verdict.cause).forEach((other) => place(other, depth + 1, verdict));
    }
  };
  const causes = new Set(verdicts.map(({cause}) => cause));
  verdicts.filter(({follows}) => follows === null || !causes.has(follows)).forEach((verdict) => place(verdict, 0, null));
  // Two that follow from one another have no root.
  verdicts.forEach((verdict) => place(verdict, 0, null));
  return placed;
}

/** What tells one verdict from another. */
export function verdictKey({cause, scope}) {
  return [cause, scope?.instance, scope?.gpu].filter(Boolean).join(' ');
}

/**
 * Pieces of a text: what is to be typed somewhere (a flag with its value, what stands between backticks) and the rest.
 *
 * @param {string} text
 * @returns {{text: string, isCode: boolean}[]}
 */
export function pieces(text) {
  const found = [];
  let from = 0;
  for (const match of text.matchAll(/`([^`]+)`|(?<![\w-])--[a-z][\w-]*(?:=[^\s,;)]*[\w"'}\]]|\s\d[\d.]*\b)?/g)) {
    if (match.index > from) {
      found.push({text: text.slice(from, match.index), isCode: false});
    }
    found.push({text: match[1] ?? match[0], isCode: true});
    from = match.index + match[0].length;
  }
  if (from < text.length) {
    found.push({text: text.slice(from), isCode: false});
  }
  return found;
}

const COMMAND = /^(?:\.\/)?(?:inferometer|curl|kubectl|docker|systemctl|journalctl|vllm|ls|cat|grep|ps|top|py-spy)\s|^[a-z][\w.-]*(?:\s+[\w.-]+)?\s+-{1,2}[a-z]/;
const WORDS = /^[A-Z]?[a-z]+(?:[ ,]+[\w%.-]+){2,}/;
/** What a query should do, after it. */
const SHOULD = /^(.*?[)\]}\w])\s+((?:falls|rises|is|stays|halves|returns|grows|drops|goes)\b.*)$/s;

/**
 * What shows that something worked: a query with what it should do, a command, or words.
 *
 * @param {string} text
 * @returns {{kind: 'query'|'command'|'words', code: string, should: string}}
 */
export function confirmation(text) {
  const [, query, should] = SHOULD.exec(text) ?? [null, text, ''];
  if (COMMAND.test(text)) {
    return {kind: 'command', code: text, should: ''};
  }
  return isQuery(query) ? {kind: 'query', code: query, should} : {kind: 'words', code: '', should: text};
}

function isQuery(text) {
  return (/[({[]/.test(text) && !WORDS.test(text)) || /^[a-zA-Z_:][\w:]*(?:\s*[<>=!]=?\s*[\d.]+)?$/.test(text);
}
