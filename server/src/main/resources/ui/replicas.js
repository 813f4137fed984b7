/** Which replica is unlike its peers, and by how much. Only computes. */

import {format} from './format.js';

/** Fewer seconds than this would make every hiccup an odd one out. */
export const COMPARED_SECONDS = 300;

/** How far from its peers' median a replica must be, by what is compared. */
const LIMITS = {
  running: {factor: 2, least: 2, both: true},
  latency: {factor: 1.5, least: 0, both: false},
  tokens: {factor: 2, least: 1, both: false},
  kv: {factor: 1.5, least: 0.2, both: true},
};
/** Peers that differ among themselves by more than this share of their median hide an odd one. */
const SPREADS = 4;

/** @param {number[]} values @returns {number|null} */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length === 0 ? null : sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/**
 * The mean of what a series had in the stretch before a moment, null without any.
 *
 * @param {number[]} times
 * @param {(number|null)[]} values
 * @param {number} until
 * @param {number} [seconds]
 */
export function recentMean(times, values, until, seconds = COMPARED_SECONDS) {
  let sum = 0;
  let count = 0;
  times.forEach((time, i) => {
    if (time <= until && time > until - seconds && values[i] !== null && values[i] !== undefined) {
      sum += values[i];
      count += 1;
    }
  });
  return count === 0 ? null : sum / count;
}

/**
 * @typedef {object} Odd
 * @property {string} name of the replica
 * @property {string} key what it differs in
 * @property {number} times its value as a multiple of its peers' median
 * @property {number} severity to sort by
 * @property {string} words
 * @property {string} short the same where the numbers stand beside it
 */

/**
 * The replicas that differ from the median of the others, the worst first.
 *
 * @param {{name: string, value: number|null}[]} rows
 * @param {{key: string, title: string, lowIsBad?: boolean}} column
 * @param {string} unit
 * @returns {Odd[]}
 */
export function oddOnes(rows, column, unit) {
  const known = rows.filter(({value}) => value !== null && Number.isFinite(value));
  return known.flatMap((row) => oddOne(row, known, column, unit) ?? []).sort((a, b) => b.severity - a.severity);
}

function oddOne({name, value}, known, {key, title, lowIsBad = false}, unit) {
  const peers = known.filter((other) => other.name !== name).map((other) => other.value);
  const middle = median(peers);
  const {factor, least, both} = LIMITS[key] ?? LIMITS.latency;
  if (middle === null || Math.abs(value - middle) <= least || (value === 0 && middle === 0)) {
    return null;
  }
  const spread = median(peers.map((peer) => Math.abs(peer - middle)));
  if (peers.length > 2 && Math.abs(value - middle) < SPREADS * spread) {
    return null;
  }
  const high = middle === 0 ? value > 0 : value >= middle * factor;
  const low = value <= middle / factor;
  // Of two, each differs from the other as much: the one that is worse off is named.
  const isOdd = lowIsBad ? low : high || (both && low && peers.length > 1);
  if (!isOdd) {
    return null;
  }
  const times = middle === 0 ? Infinity : value / middle;
  const against = peers.length > 1 ? 'the median of its peers' : 'the other';
  const much = Number.isFinite(times) ? `${multiple(times)}x ${against}` : `not zero as ${against}`;
  const measured = `${format(value, unit)} against ${format(middle, unit)}`;
  const severity = Math.abs(Math.log(Math.max(1e-3, Math.min(1e3, times))));
  const what = /^[A-Z][a-z]/.test(title) ? title[0].toLowerCase() + title.slice(1) : title;
  const short = Number.isFinite(times) ? `${what} ${multiple(times)}x` : what;
  return {name, key, times, severity, short, words: `${what} ${much} (${measured})`};
}

function multiple(times) {
  return times >= 10 ? String(Math.round(times)) : times >= 0.1 ? times.toFixed(1) : times.toPrecision(1);
}

/**
 * What is to be said of all replicas together: the odd ones by name, each with what it differs in.
 *
 * @param {Odd[]} odd
 * @param {number} compared how many replicas have values
 * @param {number} most how many are named
 * @returns {string}
 */
export function replicaSentence(odd, compared, most = 3) {
  if (compared < 2) {
    return 'Too few replicas have values to be compared.';
  }
  if (odd.length === 0) {
    // Of these values only: a verdict may name a replica for what isn't among them.
    return `In these values none of ${compared} replicas is far from the others.`;
  }
  const byName = new Map();
  odd.forEach((one) => byName.set(one.name, [...(byName.get(one.name) ?? []), one.words]));
  const said = [...byName].slice(0, most).map(([name, words]) => `${name}: ${words.slice(0, 2).join(', ')}.`);
  const more = byName.size - said.length;
  return [...said, more > 0 ? `${more} more stand out.` : ''].filter(Boolean).join(' ');
}
