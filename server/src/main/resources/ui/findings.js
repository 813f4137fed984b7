/** What the server's own diagnosis found lately, for all services: asked for once in a while by whatever page is open. */

import {STATES, known} from './marks.js';
import {isBad, scopeWords, stateOf} from './verdicts.js';

/** Findings change every half a minute; the pages shouldn't be much behind. */
const ASKED_MS = 4000;

/**
 * @typedef {object} Held a cause that was found for a while
 * @property {string} cause
 * @property {string} title
 * @property {string|null} follows
 * @property {boolean} root
 * @property {number} confidence
 * @property {{service: string, model: string|null, instance: string|null, gpu: string|null}} scope
 * @property {string} says
 * @property {number} start seconds
 * @property {number|null} end null while it lasts
 *
 * @typedef {object} Found how a service fares, as the continuous diagnosis has it
 * @property {string} service
 * @property {string} state of the diagnosis: healthy, degraded, ...
 * @property {string} sentence
 * @property {number|null} since seconds
 * @property {Held[]} findings
 */

export class Findings {
  /**
   * @param {import('./client.js').Client} client
   * @param {(error: unknown) => void} report
   */
  constructor(client, report) {
    this.client = client;
    this.report = report;
    this.lastAsked = 0;
    /** Whether the server has told anything yet. */
    this.isThere = false;
    /** @type {Map<string, Found>} */
    this.byService = new Map();
    /** @type {Held[]} */
    this.history = [];
    this.listeners = [];
    client.onTick(() => this.ask());
  }

  /**
   * @param {() => void} listener called when something has changed
   * @returns {() => void} ends that
   */
  onChange(listener) {
    this.listeners.push(listener);
    return () => (this.listeners = this.listeners.filter((other) => other !== listener));
  }

  async ask() {
    if (document.hidden || Date.now() - this.lastAsked < ASKED_MS) {
      return;
    }
    this.lastAsked = Date.now();
    try {
      const data = await this.client.findings();
      if (data !== null) {
        this.take(data);
      }
    } catch (error) {
      this.report(error);
    }
  }

  take(data) {
    const text = JSON.stringify(data);
    if (text !== this.text) {
      this.text = text;
      this.isThere = true;
      this.byService = new Map(data.services.map((found) => [found.service, found]));
      this.history = data.history;
      this.listeners.forEach((listener) => listener());
    }
  }

  /** @param {string} service @returns {Found|null} */
  of(service) {
    return this.byService.get(service) ?? null;
  }

  /**
   * What was found in a stretch of time, as the lanes of events show it.
   *
   * @param {{start: number, end: number}} window
   * @param {string} service
   */
  happened({start, end}, service) {
    return this.history
      .filter((one) => one.scope.service === service && one.start <= end && (one.end ?? Infinity) >= start)
      .map((one) => happeningOf(one));
  }
}

/** A finding as something that happened. @param {Held} held */
export function happeningOf({cause, title, says, scope, start, end, root}) {
  return {kind: root ? 'finding' : 'consequence', title, says, layer: null, on: scopeWords(scope) || null, start, end, cause};
}

/**
 * State and sentence of a service: the diagnosis's where it has something to say, the rules' where they know worse.
 *
 * @param {import('./types.js').Service} service
 * @param {Found|null} found
 * @returns {{state: import('./types.js').State, sentence: string, verdict: string|null}} `verdict` is the diagnosis's state
 */
export function fare(service, found) {
  const own = {state: service.state, sentence: service.sentence, verdict: null};
  if (found === null || service.state === 'down') {
    return own;
  }
  const {mark} = stateOf(found.state);
  if (isBad(found.state)) {
    return {state: rank(mark) < rank(service.state) ? mark : service.state, sentence: found.sentence, verdict: found.state};
  }
  return isBad(service.state) ? own : {state: mark, sentence: found.sentence, verdict: found.state};
}

function rank(state) {
  return STATES[known(state)].rank;
}

/** Services with the state and sentence that the diagnosis gives them, worst first. */
export function withFindings(services, findings) {
  const judged = services.map((service) => ({...service, ...fare(service, findings.of(service.id))}));
  return judged.map((service, i) => ({service, i})).sort((a, b) => rank(a.service.state) - rank(b.service.state) || a.i - b.i).map(({service}) => service);
}
