/** One incident on a time axis: a lane a layer with what moved first in it, what happened, and what was found. */

import {h, reconcile, setAttr, setText} from './dom.js';
import {clock, duration, format, undirected} from './format.js';
import {timeLabel, timeTicks} from './ticks.js';
import {layerWord, layersOf, scopeWords, signalTitle} from './verdicts.js';

/** Findings of one cause on many GPUs would fill the screen. */
const MAX_BARS = 8;
const MAX_MARKS = 40;
/** Names stand right of where something begins as long as there is more room than on the left. */
const NAMED_LEFT_FROM = 0.6;
/** What is seen before and after an incident, as a share of it and in seconds. */
const MARGIN = 0.15;
const MARGIN_MIN = 120;

/**
 * The stretch of time that the lanes of an incident show.
 *
 * @param {import('./types.js').Incident} incident
 * @param {number} now seconds
 */
export function stretchOf({start, end, deviations, happenings}, now) {
  const last = end ?? now;
  const margin = Math.max(MARGIN_MIN, (last - start) * MARGIN);
  const from = Math.min(start, ...deviations.map(({time}) => time), ...happenings.map(({time}) => time)) - margin;
  return {start: from, end: Math.min(now, last + margin)};
}

/** When what has ended was at its height, most likely; at its end it is gone already. */
export function middle({start, end}) {
  return (start + end) / 2;
}

/**
 * The first deviation of each layer, numbered in order of time; who moved first is 1.
 *
 * @param {import('./types.js').Diagnosis['timeline']} deviations
 * @returns {Map<string, {first: import('./types.js').Diagnosis['timeline'][0], number: number, more: number}>} by layer
 */
export function firstByLayer(deviations) {
  const ordered = [...deviations].sort((a, b) => a.time - b.time);
  const layers = new Map();
  for (const one of ordered) {
    const known = layers.get(one.layer);
    if (known) {
      known.more += 1;
    } else {
      layers.set(one.layer, {first: one, number: layers.size + 1, more: 0});
    }
  }
  return layers;
}

export class IncidentLanes {
  /**
   * @param {Map<string, import('./types.js').Signal>} vocabulary
   * @param {(time: number) => void} choose goes to the diagnosis at a time
   */
  constructor(vocabulary, choose) {
    this.vocabulary = vocabulary;
    this.choose = choose;
    this.axis = h('div', {class: 'lane-axis muted', 'aria-hidden': 'true'});
    this.rows = h('div', {class: 'incident-rows'});
    this.order = h('tbody');
    this.table = h('div', {class: 'scroll'}, h('table', {class: 'rows order'}, h('thead', {}, h('tr', {}, ['', 'When', 'Layer', 'What moved', 'From', 'To'].map((text, i) => h('th', {scope: 'col', class: `o${i}`}, text)))), this.order));
    this.orderTitle = h('h4', {}, 'Who moved first');
    this.node = h('div', {class: 'incident-lanes'}, h('div', {class: 'incident-row axis-row'}, h('span'), this.axis), this.rows, this.orderTitle, this.table);
  }

  /** @param {import('./types.js').Incident} incident @param {number} now seconds */
  show(incident, now) {
    this.stretch = stretchOf(incident, now);
    this.showAxis();
    const lanes = [this.foundLane(incident), ...this.layerLanes(incident), this.happenedLane(incident)].filter(({items}) => items.length > 0);
    reconcile(
      this.rows,
      lanes,
      ({key}) => key,
      ({title, layer}) => h('div', {class: 'incident-row', 'data-layer': layer}, h('span', {class: 'lane-title'}, title), h('ol', {class: 'lane-items'})),
      (row, {items}) => this.showItems(row.lastElementChild, items),
    );
    this.showOrder(incident);
  }

  showAxis() {
    const {start, end} = this.stretch;
    const {step, times} = timeTicks(start, end, 5);
    reconcile(this.axis, times, String, () => h('span'), (node, time) => {
      setText(node, timeLabel(time, step));
      node.style.setProperty('--at', this.share(time));
    });
  }

  share(time) {
    const {start, end} = this.stretch;
    return `${(Math.min(1, Math.max(0, (time - start) / (end - start))) * 100).toFixed(2)}%`;
  }

  foundLane({findings}) {
    const items = [...findings]
      .sort((a, b) => Number(b.root) - Number(a.root) || a.start - b.start)
      .slice(0, MAX_BARS)
      .map(({cause, title, scope, root, start, end, says}) => {
        const where = scopeWords(scope);
        return {kind: root ? 'root' : 'consequence', start, end, words: `${title}${where ? `, ${where}` : ''}${root ? '' : ' (follows)'}`, says, key: `${cause} ${where} ${start}`, goesTo: end === null ? null : middle({start, end})};
      });
    return {key: 'found', title: 'Found', items};
  }

  layerLanes({deviations}) {
    const firsts = firstByLayer(deviations);
    return layersOf(deviations).map((layer) => {
      const {first, number, more} = firsts.get(layer);
      const others = deviations.filter((one) => one.layer === layer && one !== first).slice(0, MAX_MARKS);
      const named = {kind: 'first', start: first.time, end: first.time, number, words: `${this.words(first)}${more > 0 ? `, then ${more} more` : ''}`, says: this.says(first), key: 'first', goesTo: first.time};
      return {key: layer, layer, title: layerWord(layer), items: [named, ...others.map((one) => ({kind: 'moved', start: one.time, end: one.time, words: '', says: this.says(one), key: `${one.signal} ${one.instance} ${one.time}`, goesTo: one.time}))]};
    });
  }

  happenedLane({happenings}) {
    const items = happenings.slice(0, MAX_BARS).map(({time, says, kind, instance}) => ({kind: 'happened', start: time, end: time, words: says, says, key: `${kind} ${instance} ${time}`, goesTo: time}));
    return {key: 'happened', title: 'Happened', items};
  }

  titleOf(signal) {
    return signalTitle(signal, this.vocabulary);
  }

  words({signal, instance, before, after}) {
    const unit = this.vocabulary.get(signal)?.unit ?? '';
    return undirected(`${this.titleOf(signal)}${instance === null ? '' : ` of ${instance}`}: ${format(before, unit)} to ${format(after, unit)}`);
  }

  says(one) {
    return `${clock(one.time)} ${this.words(one)}`;
  }

  showItems(list, items) {
    const make = () => {
      const button = h('button', {type: 'button', class: 'lane-item', onclick: () => this.choose(button.goesTo)}, h('span', {class: 'lane-bar', 'aria-hidden': 'true'}), h('span', {class: 'lane-name'}));
      return h('li', {}, button);
    };
    reconcile(list, items, ({key}) => key, make, (item, one) => this.place(item.firstElementChild, one));
    setAttr(list, 'data-stacked', items.some(({kind}) => kind === 'root' || kind === 'consequence' || kind === 'happened'));
  }

  place(button, {kind, start, end, number, words, says, goesTo}) {
    const {stretch} = this;
    const from = (start - stretch.start) / (stretch.end - stretch.start);
    button.goesTo = goesTo;
    button.style.setProperty('--from', this.share(start));
    button.style.setProperty('--until', this.share(end ?? stretch.end));
    setAttr(button, 'data-kind', kind);
    setAttr(button, 'data-named', from > NAMED_LEFT_FROM ? 'left' : 'right');
    const text = undirected(`${number === undefined ? '' : `${number} · `}${words}`);
    const spoken = undirected(end === null ? `${text}, since ${clock(start)}, goes on` : end > start ? `${text}, ${clock(start)}, for ${duration(end - start)}` : says);
    setText(button.lastElementChild, text);
    setAttr(button, 'title', undirected(says));
    setAttr(button, 'aria-label', spoken);
  }

  showOrder({deviations}) {
    const ordered = [...deviations].sort((a, b) => a.time - b.time).slice(0, MAX_MARKS);
    this.table.hidden = ordered.length === 0;
    this.orderTitle.hidden = ordered.length === 0;
    const make = () => h('tr', {}, h('td', {class: 'o0 muted'}), h('td', {class: 'o1'}), h('td', {class: 'o2'}, h('span', {class: 'layer-word'})), h('td', {class: 'o3'}), h('td', {class: 'o4', 'data-head': 'from'}), h('td', {class: 'o5', 'data-head': 'to'}));
    reconcile(this.order, ordered.map((one, i) => ({one, i})), ({one}) => `${one.signal} ${one.instance} ${one.time}`, make, (row, {one, i}) => {
      const [number, when, layer, what, before, after] = row.children;
      const unit = this.vocabulary.get(one.signal)?.unit ?? '';
      setAttr(row, 'data-layer', one.layer);
      setText(number, String(i + 1));
      setText(when, clock(one.time));
      setText(layer.firstElementChild, layerWord(one.layer));
      setText(what, undirected(`${this.titleOf(one.signal)}${one.instance === null ? '' : `, ${one.instance}`}`));
      setText(before, format(one.before, unit));
      setText(after, format(one.after, unit));
    });
  }
}
