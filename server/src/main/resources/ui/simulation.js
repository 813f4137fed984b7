/** The fleet of a demonstration: what can be done to it and what happened to it; there only if the server watches one. */

import {clock, duration, undirected} from './format.js';

/**
 * @typedef {object} Fault something that can be done to the fleet
 * @property {string} id
 * @property {string} title
 * @property {string} says what one will see, and where first
 * @property {string} layer in which it shows first
 * @property {string|null} on the part that it is done to
 * @property {number} lasts seconds after which it ends by itself; 0 if it is a moment
 * @property {number|null} since when it was done, seconds; null if it isn't
 *
 * @typedef {object} Happening
 * @property {'fault'|'event'|'restart'} kind
 * @property {string} title
 * @property {string} says
 * @property {string|null} layer
 * @property {string|null} on
 * @property {number} start seconds
 * @property {number|null} end null while it lasts
 *
 * @typedef {object} View
 * @property {string} scenario
 * @property {string} title
 * @property {number} seed
 * @property {number} since
 * @property {Fault[]} faults
 * @property {Happening[]} happened newest first
 */

/** It is asked for at most this often, unless something was done. */
const ASKED_MS = 1500;

export const LAYER_WORDS = {client: 'client', gateway: 'gateway', request: 'request', engine: 'engine', gpu: 'GPU', host: 'host', telemetry: 'scrapes'};

export class Simulation {
  /**
   * @param {import('./client.js').Client} client
   * @param {(error: unknown) => void} report
   */
  constructor(client, report) {
    this.client = client;
    this.report = report;
    this.isThere = false;
    /** @type {View|null} */
    this.view = null;
    this.lastAsked = 0;
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

  /** Whether the server has one is known from its status. */
  async begin(isThere) {
    this.isThere = isThere;
    await this.ask();
  }

  async ask() {
    if (!this.isThere || document.hidden || Date.now() - this.lastAsked < ASKED_MS) {
      return;
    }
    this.lastAsked = Date.now();
    try {
      this.take(await this.client.simulation());
    } catch (error) {
      this.report(error);
    }
  }

  take(view) {
    const text = JSON.stringify(view);
    if (text !== this.text) {
      this.text = text;
      this.view = view;
      this.listeners.forEach((listener) => listener());
    }
  }

  /** @param {string} id of a fault */
  async inject(id) {
    await this.change(() => this.client.inject(id));
  }

  /** @param {string|null} id of a fault, or null for all */
  async undo(id) {
    await this.change(() => this.client.undo(id));
  }

  async change(send) {
    try {
      await send();
      this.lastAsked = 0;
      await this.ask();
    } catch (error) {
      this.report(error);
    }
  }

  /** @returns {Happening[]} what happened in a stretch of time, in the order in which it began */
  happened({start, end}) {
    return (this.view?.happened ?? []).filter((one) => one.start <= end && (one.end ?? Infinity) >= start).sort((a, b) => a.start - b.start);
  }
}

/** @param {View} view @returns {Fault[]} those that are done, the latest first */
export function active(view) {
  return view.faults.filter(({since}) => since !== null).sort((a, b) => b.since - a.since);
}

/** What is done to the fleet now, in words. */
export function simulationSentence(view, now) {
  const done = active(view);
  if (done.length === 0) {
    return 'Nothing is done to the fleet.';
  }
  return done.map((fault) => undirected(`${fault.title}${fault.on ? ` (${fault.on})` : ''}, since ${clock(fault.since)}, ${ago(now - fault.since)}.`)).join(' ');
}

function ago(seconds) {
  return seconds < 1 ? 'just now' : `for ${duration(seconds)}`;
}

/** What happened, when and to whom, in a line. */
export function happeningWords({title, on, start, end}) {
  const until = end === null ? ', goes on' : end > start ? `, until ${clock(end)}` : '';
  return undirected(`${clock(start)} ${title}${on ? `, ${on}` : ''}${until}`);
}
