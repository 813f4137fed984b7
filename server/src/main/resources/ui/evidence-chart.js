/** The chart behind a line of evidence: its signal around the window, the threshold as a line. */

import {Panel} from './panel.js';
import {signalTitle} from './verdicts.js';

/** How a signal is split so that a part of a service can be found in it. */
const BY_REPLICA = ['instance'];

export class EvidenceChart {
  /**
   * @param {string} id stands in the URL while its details are open
   * @param {import('./types.js').Evidence} evidence
   * @param {string} service the one that is diagnosed
   * @param {any} context of the view, with the group of the charts and their colours
   */
  constructor(id, evidence, service, context) {
    this.evidence = evidence;
    this.context = context;
    this.service = evidence.service ?? service;
    this.isKnown = context.vocabulary.has(evidence.signal);
    const signal = context.vocabulary.get(evidence.signal) ?? madeUp(evidence);
    this.panel = new Panel(
      {id, service: this.service, signals: [signal], suffix: evidence.of ?? '', pick: evidence.of === null ? null : (labels) => this.belongs(labels), threshold: evidence.threshold},
      {nav: context.nav, group: context.group, colours: context.colours},
    );
    this.node = this.panel.node;
    this.key = '';
  }

  /** Whether it can be drawn: by its signal or by its query. */
  static isPossible(evidence, vocabulary) {
    return vocabulary.has(evidence.signal) || evidence.query !== null;
  }

  /** Whether a series is of the part that was measured; if none is, all are shown. */
  belongs(labels) {
    return !this.hasPart || isOf(labels, this.evidence.of);
  }

  get hasPart() {
    return this.answer?.results.some(({series}) => series.some(({labels}) => isOf(labels, this.evidence.of))) ?? false;
  }

  /** @param {import('./types.js').Window} window */
  async refresh(window, abort) {
    const key = JSON.stringify(window);
    if (key !== this.key) {
      this.answer = await this.ask(window, abort);
      this.key = key;
      this.panel.show(window, this.answer);
    }
  }

  async ask(window, abort) {
    const {evidence, service} = this;
    if (this.isKnown) {
      const request = {service, signals: [evidence.signal], ...(this.isSplit() ? {by: BY_REPLICA} : {})};
      const answer = await this.context.client.signals(request, window, abort);
      if (evidence.query === null || answer.results.some(({series}) => series.length > 0)) {
        return answer;
      }
    }
    return this.askQuery(window, abort);
  }

  /** A replica is one of many; a GPU or a host has series of its own. */
  isSplit() {
    const of = this.context.serviceOf?.(this.service);
    return this.evidence.of !== null && (of?.replicas.some(({instance}) => instance === this.evidence.of) ?? false);
  }

  /** What is no signal is drawn by its query. */
  async askQuery(window, abort) {
    const {evidence, service} = this;
    const [answer] = await this.context.client.queries([evidence.query], window, abort);
    const result = {service, signal: evidence.signal, unit: evidence.unit, quality: evidence.quality, reason: null, query: evidence.query, series: [], goal: null};
    if (answer instanceof Error) {
      return {times: [], results: [{...result, reason: answer.message}]};
    }
    const times = timesOf(window);
    const series = (answer.data.result ?? []).map(({metric, values}) => ({labels: labelsOf(metric), values: onGrid(values ?? [], times)}));
    return {times, results: [{...result, series}]};
  }

  repaint() {
    this.panel.chart?.repaint();
  }

  destroy() {
    this.panel.destroy();
  }
}

/** A quantity that the vocabulary doesn't have, as a signal of its own. */
function madeUp({signal, layer, unit, says}) {
  return {name: signal, title: signalTitle(signal, new Map()), layer, unit, kind: 'gauge', meaning: says, caveat: null, healthy: null};
}

/** Whether labels name a part: one is its name, or they are those of `node-1/gpu3`. */
function isOf(labels, of) {
  const values = Object.values(labels);
  if (of === null || values.includes(of)) {
    return true;
  }
  const gpu = /^(.*?)[/ ](?:gpu ?)?(\d+)$/i.exec(of);
  return gpu !== null && labels.gpu === gpu[2] && values.some((value) => value === gpu[1] || value.startsWith(`${gpu[1]}:`));
}

function timesOf({start, end, step}) {
  return Array.from({length: Math.floor((end - start) / step) + 1}, (_, i) => start + i * step);
}

function onGrid(samples, times) {
  const at = new Map(samples.map(([time, value]) => [Math.round(time), Number(value)]));
  return times.map((time) => {
    const value = at.get(Math.round(time));
    return Number.isFinite(value) ? value : null;
  });
}

function labelsOf({__name__, ...labels}) {
  return labels;
}
