/** What a service doesn't tell: why, what would bring it, and each fix only once. */

import {actionButton, copy, h} from './dom.js';
import {commonTitle} from './names.js';
import {familyOf} from './layout.js';

/** What someone can do something about comes first. */
const RANKS = {setting: 0, fact: 1, broken: 2, traffic: 3, release: 4, engine: 5};
const MAX_TITLES = 6;

/**
 * @typedef {object} AbsentGroup signals that are missing for one reason
 * @property {string} key
 * @property {string} why
 * @property {string} reason
 * @property {string|null} fix
 * @property {string[]} signals
 */

/**
 * The signals of a list that a service lacks, put together by what would bring them; what can be changed first.
 *
 * @param {import('./types.js').Service} service
 * @param {string[]|null} names null for all
 * @returns {AbsentGroup[]}
 */
export function absentGroups(service, names = null) {
  const wanted = names === null ? null : new Set(names);
  /** @type {Map<string, AbsentGroup>} */
  const groups = new Map();
  for (const {signal, why = 'engine', reason, fix = null} of service.absent) {
    if (wanted === null || wanted.has(signal)) {
      const key = fix ?? reason;
      const group = groups.get(key);
      if (group) {
        group.signals.push(signal);
      } else {
        groups.set(key, {key, why, reason, fix, signals: [signal]});
      }
    }
  }
  return [...groups.values()].sort((a, b) => rank(a) - rank(b));
}

function rank({why, fix}) {
  return (RANKS[why] ?? 5) - (fix ? 0.5 : 0);
}

/**
 * The titles of signals for people: quantiles of one quantity are one, and long lists end with a count.
 *
 * @param {string[]} signals
 * @param {Map<string, import('./types.js').Signal>} vocabulary
 * @returns {string}
 */
export function titlesOf(signals, vocabulary) {
  const families = new Map();
  for (const name of signals) {
    const title = vocabulary.get(name)?.title ?? name;
    families.set(familyOf(name), [...(families.get(familyOf(name)) ?? []), title]);
  }
  const titles = [...families.values()].map((list) => commonTitle(list).title);
  const more = titles.length - MAX_TITLES;
  return titles.slice(0, MAX_TITLES).join(', ') + (more > 0 ? ` and ${more} more` : '');
}

/** The reason as a sentence that stands alone; what begins with a name keeps it as it is written. */
export function asSentence(text) {
  const trimmed = text.trim();
  const begun = /^[a-z]+(?![\w:/.-])/.test(trimmed) ? trimmed[0].toUpperCase() + trimmed.slice(1) : trimmed;
  return trimmed === '' ? 'Nothing exposes it here.' : `${begun}${/[.!?]$/.test(begun) ? '' : '.'}`;
}

/** A line to copy, with the button that does. */
export function fixLine(fix) {
  return h('div', {class: 'fix'}, h('code', {}, fix), actionButton('Copy', 'Copied', () => copy(fix), `Copy: ${fix}`));
}

/** One group in words: what is missing, why, and the line that brings it. */
export function absentLine(group, title) {
  return h('div', {class: 'absent-line', 'data-why': group.why}, h('span', {class: 'absent-title'}, title), ' ', h('div', {class: 'absent-why'}, h('span', {class: 'muted'}, asSentence(group.reason)), group.fix && fixLine(group.fix)));
}

/** Panels that are missing for one reason, as one hatched panel in their place. */
export function absentPanel(group, vocabulary) {
  const title = titlesOf(group.signals, vocabulary);
  return h(
    'section',
    {class: 'panel absent-panel', 'data-absent': true, 'data-panel': group.signals[0], 'data-layer': vocabulary.get(group.signals[0])?.layer ?? null},
    h('header', {}, h('h3', {title}, title), h('span', {class: 'now muted'}, 'absent')),
    h('div', {class: 'plot absent', role: 'note', 'aria-label': `${title}: ${asSentence(group.reason)}`}, h('div', {class: 'reason'}, h('p', {}, asSentence(group.reason)), group.fix && fixLine(group.fix))),
  );
}
