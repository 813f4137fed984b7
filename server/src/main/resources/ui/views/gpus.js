/** All GPUs: what each does, what slows it down, and what happened to it; worst first. */

import {CursorGroup} from '../chart.js';
import {h, reconcile, setAttr, setText} from '../dom.js';
import {moment, undirected} from '../format.js';
import {gpuKey, gpuName, gpusSentence, worstFirst} from '../gpu-judging.js';
import {GPU_HEADS, GpuDetails, gpuRow, updateGpuRow} from '../gpu-row.js';
import {UTILISATIONS} from '../layout.js';
import {Colours} from '../panel.js';
import {withNow} from '../series.js';
import {between, momentOf, servicePath, windowOf} from '../state.js';

const KIND_WORDS = {xid: 'XID', ecc: 'Memory error', remap: 'Remapped row', reset: 'Began anew', lost: 'Lost'};
const MAX_ROWS = 500;
const MAX_EVENTS = 200;
/** Events and states are looked for over hours, which is more work than a few numbers. */
const LIST_MS = 4500;
/** Curves of more than these at once only make the page slow. */
const MAX_OPEN = 4;

export class GpusView {
  constructor(context) {
    this.context = context;
    this.title = 'GPUs';
    this.gpus = null;
    this.services = [];
    this.details = new Map();
    this.curves = new WeakMap();
    this.colours = new Colours();
    this.group = new CursorGroup({
      move: () => this.cursorMoved(),
      pin: (time) => this.pin(time),
      zoom: (from, to) => context.nav.go(between(from, to)),
    });
    this.build();
  }

  build() {
    this.sentence = h('p', {class: 'sentence', 'aria-live': 'polite'});
    this.states = h('p', {class: 'state-counts', role: 'group', 'aria-label': 'What GPUs do'});
    this.legend = h('p', {class: 'muted legend-line'});
    this.body = h('tbody');
    this.table = h('table', {class: 'rows gpus'}, h('thead', {}, h('tr', {}, GPU_HEADS.map((text, i) => h('th', {scope: 'col', class: `c${i}`}, text)))), this.body);
    this.more = h('p', {class: 'muted', hidden: true});
    this.events = h('tbody');
    this.noEvents = h('p', {class: 'muted'}, 'No XID, no memory error and no reset was seen in the last 6 hours.');
    this.eventTable = h('table', {class: 'rows events'}, h('thead', {}, h('tr', {}, ['When', 'GPU', 'What', 'What it means', 'What to do'].map((text, i) => h('th', {scope: 'col', class: `e${i}`}, text)))), this.events);
    this.content = h('div', {hidden: true}, this.states, this.legend, h('div', {class: 'scroll'}, this.table), this.more, h('section', {class: 'part'}, h('h2', {}, 'What happened'), this.noEvents, h('div', {class: 'scroll'}, this.eventTable)));
    this.node = h('div', {class: 'page gpus-page'}, this.sentence, this.context.filter.node, this.content);
  }

  async refresh(signal, reason) {
    const {client} = this.context;
    this.group.pin(this.context.nav.place.cursor);
    if (this.gpus === null || reason === 'data' || (reason === 'tick' && Date.now() - this.asked > LIST_MS)) {
      this.asked = Date.now();
      const [answer, services] = await Promise.all([client.gpus(signal), this.context.loadServices(signal)]);
      this.services = services;
      this.known = answer !== null;
      this.gpus = worstFirst(answer?.gpus ?? []);
      this.leftOut = answer?.left_out ?? 0;
      this.happened = answer?.events ?? [];
    }
    this.show();
    await this.refreshCurves(signal);
  }

  show() {
    const {nav} = this.context;
    this.content.hidden = this.gpus.length === 0;
    setText(this.sentence, this.known ? (this.gpus.length === 0 ? 'No exporter tells of a GPU.' : undirected(gpusSentence(this.gpus))) : 'This server has no list of GPUs.');
    const needle = nav.place.filter.toLowerCase();
    const shown = this.gpus.filter((gpu) => textOf(gpu).includes(needle));
    this.showStates();
    this.showLegend();
    this.showRows(shown.slice(0, MAX_ROWS));
    const more = shown.length - MAX_ROWS + this.leftOut;
    this.more.hidden = more <= 0 && shown.length > 0;
    setText(this.more, shown.length === 0 ? 'No GPU matches the filter.' : `${more} more; filter to see them.`);
    this.showEvents();
  }

  /** How many do what; a click leaves only those. */
  showStates() {
    const counts = new Map();
    this.gpus.forEach(({state}) => counts.set(state.name, (counts.get(state.name) ?? 0) + 1));
    const {filter} = this.context.nav.place;
    const items = [...counts].sort((a, b) => b[1] - a[1]);
    this.states.hidden = items.length < 2;
    reconcile(
      this.states,
      items,
      ([name]) => name,
      ([name]) => h('button', {type: 'button', class: 'small toggle-state', onclick: () => this.context.nav.go({filter: this.context.nav.place.filter === name ? '' : name}, {replace: true})}),
      (button, [name, count]) => {
        setText(button, `${name} ${count}`);
        setAttr(button, 'aria-pressed', String(filter === name));
      },
    );
  }

  showLegend() {
    const words = UTILISATIONS.map(([name, word]) => `${word}: ${this.context.vocabulary.get(name)?.title ?? name}`);
    setText(this.legend, `Utilisations in percent, not to be taken for one another. ${words.join(' · ')}`);
  }

  showRows(gpus) {
    const {nav, vocabulary} = this.context;
    const isOpen = (gpu) => nav.place.open.includes(openKey(gpu));
    const open = gpus.filter(isOpen).slice(0, MAX_OPEN);
    [...this.details].filter(([key]) => !open.some((gpu) => gpuKey(gpu) === key)).forEach(([key, details]) => {
      details.destroy();
      this.details.delete(key);
    });
    const rows = gpus.flatMap((gpu) => {
      const row = {key: gpuKey(gpu), create: () => gpuRow(() => this.toggle(gpu)), update: (node) => updateGpuRow(node, gpu, open.includes(gpu), vocabulary)};
      return open.includes(gpu) ? [row, {key: `${row.key} details`, create: () => this.detailsOf(gpu).node, update: () => this.detailsOf(gpu).show(gpu, this.services.find(({id}) => id === gpu.service))}] : [row];
    });
    reconcile(this.body, rows, (row) => row.key, (row) => row.create(), (node, row) => row.update(node));
  }

  detailsOf(gpu) {
    const key = gpuKey(gpu);
    if (!this.details.has(key)) {
      this.details.set(key, new GpuDetails(this.context, this.group, this.colours));
    }
    return this.details.get(key);
  }

  toggle(gpu) {
    const {nav} = this.context;
    nav.toggleOpen(openKey(gpu), !nav.place.open.includes(openKey(gpu)));
    this.show();
    this.context.again();
  }

  /** Only open GPUs have curves; they move by whole steps. */
  async refreshCurves(signal) {
    const {client, nav} = this.context;
    const window = windowOf(nav.place, client.now());
    const at = Math.floor(momentOf(nav.place, client.now()) * 10) / 10;
    const now = {start: at, end: at, step: 1};
    const panels = [...this.details.values()].flatMap((details) => details.panels);
    await Promise.all(panels.map((panel) => this.refreshPanel(panel, window, now, signal)));
  }

  async refreshPanel(panel, window, moment, signal) {
    const {client} = this.context;
    const request = panel.request(false);
    const key = JSON.stringify([window, request]);
    const kept = this.curves.get(panel);
    const [curves, now] = await Promise.all([kept?.key === key ? kept.curves : client.signals(request, window, signal), client.signals(request, moment, signal)]);
    this.curves.set(panel, {key, curves});
    panel.show({...window, end: Math.max(window.end, moment.end)}, withNow(curves, now));
  }

  showEvents() {
    const shown = this.happened.slice(0, MAX_EVENTS);
    this.noEvents.hidden = shown.length > 0;
    this.eventTable.hidden = shown.length === 0;
    const hostOf = (event) => this.gpus.find((gpu) => gpu.service === event.service && gpu.gpu === event.gpu)?.host ?? event.service;
    reconcile(
      this.events,
      shown,
      (event) => `${event.time} ${event.service} ${event.gpu} ${event.uuid} ${event.kind} ${event.says}`,
      (event) =>
        h(
          'tr',
          {},
          h('td', {class: 'e0'}, moment(event.time)),
          h('td', {class: 'e1'}, h('a', {href: this.context.linkTo(servicePath(event.service)), 'data-nav': true}, `${hostOf(event)} ${gpuName(event)}`)),
          h('td', {class: 'e2'}, KIND_WORDS[event.kind] ?? event.kind),
          h('td', {class: 'e3'}, event.says),
          h('td', {class: 'e4'}, event.action ?? ''),
        ),
    );
  }

  pin(time) {
    this.group.pinned = time;
    this.context.nav.go({cursor: time}, {replace: true, silent: true});
    this.group.draw(null);
  }

  escape() {
    if (this.group.pinned === null) {
      return false;
    }
    this.pin(null);
    return true;
  }

  cursorMoved() {
    this.details.forEach(({panels}) => panels.forEach((panel) => panel.showAtCursor()));
  }

  repaint() {
    this.details.forEach(({panels}) => panels.forEach((panel) => panel.chart?.repaint()));
  }

  destroy() {
    this.details.forEach((details) => details.destroy());
  }
}

/** What stands in the URL; commas there separate what is open. */
function openKey(gpu) {
  return `gpu:${gpuKey(gpu).replaceAll(',', '')}`;
}

function textOf(gpu) {
  return [gpu.host, gpu.service, `gpu ${gpu.gpu}`, gpu.uuid, gpu.model, gpu.pod, gpu.engine, gpu.state.name, ...gpu.reasons.map(({name}) => name), gpu.xid && `xid ${gpu.xid.code}`].filter(Boolean).join(' ').toLowerCase();
}
