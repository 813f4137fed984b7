/** One of the few numbers at the top of a service's page: value, unit, goal and trend; or why it is absent. */

import {asSentence, fixLine} from './absence.js';
import {h, setAttr, setText} from './dom.js';
import {boundedQuantity, boundsWords, quantity} from './format.js';
import {figure, spark, updateFigure, updateSpark} from './marks.js';
import {QUALITY_WORDS, qualityTitle} from './panel-details.js';

export class NumberTile {
  /**
   * @param {import('./types.js').Signal} signal
   * @param {import('./types.js').Service} service
   */
  constructor(signal, service) {
    this.signal = signal;
    this.service = service;
    this.absent = service.signals.includes(signal.name) ? null : service.absent.find((entry) => entry.signal === signal.name) ?? {reason: '', fix: null};
    this.figure = figure('big');
    this.goal = h('span', {class: 'goal-text muted'});
    this.spark = spark();
    this.curveKey = '';
    const body = this.absent ? [h('p', {class: 'absent-text', title: asSentence(this.absent.reason)}, asSentence(this.absent.reason)), this.absent.fix && fixLine(this.absent.fix)] : [h('div', {class: 'line'}, this.figure, this.spark), this.goal];
    this.node = h('div', {class: 'number-tile', 'data-signal': signal.name, 'data-layer': signal.layer, 'data-absent': this.absent !== null, title: [signal.meaning, signal.caveat].filter(Boolean).join(' ')}, h('h3', {}, signal.title), body);
  }

  async refresh(client, at, window, abort) {
    if (this.absent) {
      return;
    }
    const request = {service: this.service.id, signals: [this.signal.name]};
    const [now] = await Promise.all([client.signals(request, at, abort), this.refreshCurve(client, request, window, abort)]);
    const [result] = now.results;
    const worst = result.series.reduce((max, series) => (max === null || series.values.at(-1) > max.values.at(-1) ? series : max), null);
    const value = worst?.values.at(-1) ?? null;
    const [low, high] = [worst?.low?.at(-1), worst?.high?.at(-1)];
    updateFigure(this.figure, boundedQuantity(value, result.unit, low, high));
    updateSpark(this.spark, trendOf(this.curve, worst), result.goal, isRough(result));
    setAttr(this.node, 'data-over', result.goal !== null && value !== null && value > result.goal);
    const bounds = value === null ? '' : boundsWords(result.unit, low, high);
    const words = [isRough(result) ? QUALITY_WORDS[result.quality] : '', bounds, this.words(result, value ?? low ?? null, bounds)].filter(Boolean).join(' · ');
    setText(this.goal, words);
    setAttr(this.goal, 'title', [words, isRough(result) ? qualityTitle(result) : ''].filter(Boolean).join('\n'));
  }

  /** The trend moves by whole steps: between two of them there is nothing to ask. */
  async refreshCurve(client, request, window, abort) {
    const key = `${window.start}/${window.end}`;
    if (key !== this.curveKey) {
      const {results} = await client.signals(request, window, abort);
      [this.curve] = results;
      this.curveKey = key;
    }
  }

  words(result, value, bounds) {
    if (result.quality === 'absent') {
      return result.reason ?? 'absent';
    }
    if (result.goal !== null) {
      const goal = quantity(result.goal, result.unit);
      return `goal ${goal.text} ${goal.unit}`;
    }
    const judged = this.signal.kind === 'quantile' || this.signal.kind === 'share';
    const many = result.series.length > 1 ? `highest of ${result.series.length}` : '';
    return many || (value === null ? result.reason ?? 'no value now' : judged && bounds === '' ? 'no goal set' : '');
  }
}

/** Whether a value is not what its title says, strictly. */
export function isRough(result) {
  return result?.quality === 'estimated' || result?.quality === 'proxy';
}

function trendOf(result, like) {
  const key = JSON.stringify(like?.labels ?? {});
  return (result?.series.find((series) => JSON.stringify(series.labels) === key) ?? result?.series[0])?.values ?? [];
}
