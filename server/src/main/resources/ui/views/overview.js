/** Overview: the sentence, then a row a service, worst first; under it GPUs, hosts and targets. */

import {h, reconcile, setAttr, setText} from '../dom.js';
import {boundedQuantity, quantity, undirected} from '../format.js';
import {GPU_BARS, HOST_COLUMNS, MAX_GPU_BARS, OVERVIEW_COLUMNS, OVERVIEW_GAUGES, firstFed} from '../layout.js';
import {STATES, bar, figure, known, spark, stateMark, stateShape, updateBar, updateFigure, updateMark, updateReplicas, updateSpark} from '../marks.js';
import {seriesNames} from '../panel.js';
import {momentOf, servicePath, windowOf} from '../state.js';
import {TargetTable} from './targets.js';

const SPARK_POINTS = 60;
const MAX_TARGETS = 12;

/** What is the matter with all of them, in words. */
export function overviewSentence(services) {
  return overviewClauses(services).map(undirected).join(' ');
}

/** A clause a service. */
function overviewClauses(services) {
  const bad = services.filter(({state}) => state === 'critical' || state === 'down' || state === 'degraded');
  if (bad.length === 0) {
    return [calmSentence(services)];
  }
  const worst = bad.slice(0, 2).map((service) => `${service.name}: ${withoutDot(service.sentence)}.`);
  const more = bad.length - worst.length;
  return more > 0 ? [...worst, `${more} more of ${services.length} services ${more === 1 ? 'needs' : 'need'} a look.`] : worst;
}

function calmSentence(services) {
  const unknown = services.filter(({state}) => state === 'unknown').length;
  const idle = services.filter(({state}) => state === 'idle').length;
  if (unknown === services.length) {
    return `Not enough samples yet to judge ${services.length === 1 ? services[0].name : `${services.length} services`}.`;
  }
  const rest = unknown > 0 ? ` ${unknown} can't be judged yet.` : idle > 0 ? ` ${idle} ${idle === 1 ? 'is' : 'are'} idle.` : '';
  const judged = services.length - unknown;
  // Not "fine": without goals of their own, nobody knows what their users would call slow.
  const where = judged === 1 ? services.find(({state}) => state !== 'unknown').name : `any of ${judged} services`;
  return `No rule and no goal is broken in ${where}.${rest}`;
}

function withoutDot(sentence) {
  return sentence.replace(/\.$/, '');
}

/** The rows that are on the screen: only they ask for numbers. */
class Seen {
  constructor(onNew) {
    this.keys = new Set();
    this.observer = new IntersectionObserver(
      (entries) => {
        entries.forEach((entry) => this.keys[entry.isIntersecting ? 'add' : 'delete'](entry.target.dataset.service));
        if (entries.some((entry) => entry.isIntersecting)) {
          onNew();
        }
      },
      {rootMargin: '200px'},
    );
  }

  watch(node) {
    this.observer.observe(node);
  }

  has(id) {
    return this.keys.has(id);
  }
}

export class OverviewView {
  constructor(context) {
    this.context = context;
    this.title = 'Overview';
    this.services = [];
    this.seen = new Seen(() => this.fillLater());
    this.filled = new Map();
    this.kept = new Map();
    this.sentence = h('p', {class: 'sentence', 'aria-live': 'polite'});
    this.engines = h('tbody');
    this.gpus = h('div', {class: 'gpu-strip'});
    this.hosts = h('tbody');
    this.others = h('tbody');
    this.targets = new TargetTable(() => context.client.now(), context.nav);
    this.build();
  }

  build() {
    const heads = ['State', 'Service', 'What is the matter', ...OVERVIEW_COLUMNS.map((column) => column.title), 'Out tok/s', 'Run / wait', 'KV cache', 'Replicas'];
    this.enginesTable = h('table', {class: 'rows services'}, h('thead', {}, h('tr', {}, heads.map((text, i) => h('th', {scope: 'col', class: `c${i}`}, text)))), this.engines);
    const hostHeads = ['State', 'Host', 'CPU', 'Memory', 'Disk', 'Network in', 'Network out'];
    this.hostsTable = h('table', {class: 'rows hosts'}, h('thead', {}, h('tr', {}, hostHeads.map((text, i) => h('th', {scope: 'col', class: `c${i}`}, text)))), this.hosts);
    this.moreTargets = h('p', {class: 'muted'});
    this.sections = {
      engines: section('Services', this.enginesTable),
      gpus: section('GPUs', h('div', {class: 'legend-line muted'}, ''), this.gpus),
      hosts: section('Hosts', this.hostsTable),
      others: section('Other', h('table', {class: 'rows others'}, this.others)),
      targets: section('Targets', this.targets.node, this.moreTargets),
    };
    this.empty = emptyState();
    this.node = h('div', {class: 'page overview'}, this.sentence, this.context.filter.node, this.empty, Object.values(this.sections));
  }

  async refresh(signal, reason) {
    const {client, nav} = this.context;
    this.signal = signal;
    if (reason !== 'place' || this.services.length === 0) {
      const [services, targets] = await Promise.all([this.context.loadServices(signal), client.targets(signal)]);
      this.services = services;
      this.allTargets = targets;
    }
    this.filled.clear();
    this.show(nav.place.filter);
    await this.fill();
  }

  show(filter) {
    const needle = filter.toLowerCase();
    const shown = this.services.filter((service) => `${service.name} ${service.id} ${service.engine.title}`.toLowerCase().includes(needle));
    const of = (kind) => shown.filter((service) => service.kind === kind);
    const isEmpty = this.allTargets.length === 0 && this.services.length === 0;
    const isReadOnly = this.context.storeStatus()?.readOnly ?? false;
    this.empty.hidden = !isEmpty || isReadOnly;
    setText(this.sentence, isEmpty ? (isReadOnly ? 'Nothing is scraped: the data can be asked on the query page.' : 'Nothing is watched yet.') : this.services.length === 0 ? 'No target has answered yet.' : overviewSentence(this.services));
    this.showRows(this.engines, this.sections.engines, of('engine'), () => this.engineRow());
    this.showGpus(of('gpu'));
    this.showRows(this.hosts, this.sections.hosts, of('host'), () => this.hostRow());
    this.showRows(this.others, this.sections.others, of('other'), () => this.otherRow());
    this.showTargets(needle);
  }

  showRows(body, part, services, create) {
    part.hidden = services.length === 0;
    const make = (service) => {
      const row = create();
      row.dataset.service = service.id;
      this.seen.watch(row);
      return row;
    };
    reconcile(body, services, (service) => service.id, make, (row, service) => this.updateHead(row, service));
  }

  engineRow() {
    const trends = OVERVIEW_COLUMNS.map((column, i) => h('td', {class: `c${i + 3} trend-cell`, 'data-column': column.key}, figure(), spark()));
    return this.row(
      h('td', {class: 'c2'}, h('span', {class: 'says'})),
      trends,
      h('td', {class: 'c7', 'data-column': 'tokens'}, figure()),
      h('td', {class: 'c8', 'data-column': 'load'}, h('span', {class: 'figure'}, h('span', {class: 'number'}, '–'))),
      h('td', {class: 'c9', 'data-column': 'kv'}, bar(), figure()),
      h('td', {class: 'c10'}, h('span', {class: 'replicas'})),
    );
  }

  hostRow() {
    return this.row(HOST_COLUMNS.map(([name], i) => h('td', {class: `c${i + 2}`, 'data-column': name}, name.includes('network') ? figure() : [bar(), figure()])));
  }

  otherRow() {
    return this.row(h('td', {class: 'c2'}, h('span', {class: 'says'})));
  }

  row(...cells) {
    const link = h('a', {'data-nav': true, class: 'name'});
    const row = h('tr', {tabindex: -1, 'data-row': true}, h('td', {class: 'c0'}, stateMark('unknown')), h('td', {class: 'c1'}, link, h('span', {class: 'engine muted'})), cells);
    row.addEventListener('enter', () => link.click());
    return row;
  }

  updateHead(row, service) {
    const link = row.querySelector('.name');
    updateMark(row.querySelector('.mark'), service.state);
    setText(link, service.name);
    setAttr(link, 'href', this.context.linkTo(servicePath(service.id)));
    setText(row.querySelector('.engine'), engineText(service));
    setAttr(row.querySelector('.engine'), 'title', service.version?.because ?? null);
    const says = row.querySelector('.says');
    if (says) {
      setText(says, service.sentence);
      setAttr(says, 'title', service.sentence);
    }
    const replicas = row.querySelector('.replicas');
    if (replicas) {
      updateReplicas(replicas, service.replicas);
    }
  }

  fillLater() {
    if (this.services.length > 0 && !this.waiting) {
      this.waiting = setTimeout(() => {
        this.waiting = null;
        this.fill().catch(this.context.report);
      }, 30);
    }
  }

  /** Asks for the numbers of the rows on the screen that don't have them yet. */
  async fill() {
    const wanted = this.services.filter((service) => this.seen.has(service.id) && !this.filled.has(service.id));
    wanted.forEach((service) => this.filled.set(service.id, true));
    await Promise.all(wanted.map((service) => this.fillService(service)));
  }

  fillService(service) {
    switch (service.kind) {
      case 'engine':
        return this.fillEngine(service);
      case 'gpu':
        return this.fillGpu(service);
      case 'host':
        return this.fillHost(service);
      default:
        return null;
    }
  }

  rowOf(service) {
    return this.node.querySelector(`[data-service="${CSS.escape(service.id)}"]`);
  }

  moment() {
    const at = Math.floor(momentOf(this.context.nav.place, this.context.client.now()) * 10) / 10;
    return {start: at, end: at, step: 1};
  }

  async fillEngine(service) {
    const {client, nav} = this.context;
    const trends = OVERVIEW_COLUMNS.map((column) => firstFed(column.of, service));
    const gauges = Object.entries(OVERVIEW_GAUGES).map(([key, names]) => [key, firstFed(names, service)]);
    const sparks = trends.filter(Boolean);
    const instants = [...sparks, ...gauges.map(([, name]) => name).filter(Boolean)];
    const window = windowOf(nav.place, client.now(), SPARK_POINTS);
    const [curves, now] = await Promise.all([this.curves(service, sparks, window), this.ask(service, instants, this.moment())]);
    const row = this.rowOf(service);
    if (row) {
      OVERVIEW_COLUMNS.forEach((column, i) => this.fillTrend(row, column, trends[i], now, curves));
      this.fillGauges(row, Object.fromEntries(gauges), now);
    }
  }

  /** Sparklines move by whole steps: between two of them the last answer holds. */
  async curves(service, signals, window) {
    const key = `${window.start}/${window.end} ${signals}`;
    const kept = this.kept.get(service.id);
    if (kept?.key === key) {
      return kept.curves;
    }
    const curves = await this.ask(service, signals, window);
    this.kept.set(service.id, {key, curves});
    return curves;
  }

  /** @returns {Promise<Map<string, import('../types.js').SignalResult>>} by signal */
  async ask(service, signals, window) {
    if (signals.length === 0) {
      return new Map();
    }
    const {results} = await this.context.client.signals({service: service.id, signals}, window, this.signal);
    return new Map(results.map((result) => [result.signal, result]));
  }

  fillTrend(row, column, name, now, curves) {
    const cell = row.querySelector(`[data-column="${column.key}"]`);
    const [value, line] = cell.children;
    const result = now.get(name);
    const entry = latestOf(result);
    updateFigure(value, boundedQuantity(entry.value, result?.unit ?? '', entry.low, entry.high));
    updateSpark(line, curves.get(name)?.series[0]?.values ?? [], result?.goal ?? null);
    setAttr(cell, 'data-over', result?.goal !== null && result?.goal !== undefined && entry.value > result.goal);
    const signal = this.context.vocabulary.get(name);
    setAttr(cell, 'title', signal ? signal.title + (result?.goal ? `, goal ${text(result.goal, result.unit)}` : '') : 'Nothing exposes it here.');
  }

  fillGauges(row, names, now) {
    const valueOf = (key) => latestOf(now.get(names[key])).value;
    updateFigure(row.querySelector('[data-column="tokens"] .figure'), {...quantity(valueOf('tokens'), 'count')});
    setText(row.querySelector('[data-column="load"] .number'), `${quantity(valueOf('running'), 'count').text} / ${countText(valueOf('waiting'))}`);
    const kv = row.querySelector('[data-column="kv"]');
    updateBar(kv.children[0], valueOf('kv') ?? NaN, level(valueOf('kv'), this.context.vocabulary.get(names.kv)));
    updateFigure(kv.children[1], quantity(valueOf('kv'), 'ratio'));
  }

  async fillHost(service) {
    const names = HOST_COLUMNS.map((alternatives) => firstFed(alternatives, service)).filter(Boolean);
    const now = await this.ask(service, names, this.moment());
    const row = this.rowOf(service);
    for (const [name, result] of now) {
      const cell = row?.querySelector(`[data-column="${name}"]`);
      const {value} = latestOf(result);
      if (cell?.children.length === 2) {
        updateBar(cell.children[0], value ?? NaN, level(value, this.context.vocabulary.get(name)));
      }
      if (cell) {
        updateFigure(cell.lastElementChild, quantity(value, result.unit));
      }
    }
  }

  showGpus(services) {
    this.sections.gpus.hidden = services.length === 0;
    const make = (service) => {
      const node = h('div', {class: 'gpu-service', 'data-service': service.id}, h('a', {'data-nav': true, class: 'name'}), h('span', {class: 'says muted'}), h('div', {class: 'cells'}));
      this.seen.watch(node);
      return node;
    };
    reconcile(this.gpus, services, (service) => service.id, make, (node, service) => {
      const link = node.querySelector('a');
      link.replaceChildren(stateShape(service.state), ` ${service.name}`, h('span', {class: 'visually-hidden'}, `: ${STATES[known(service.state)].word}`));
      setAttr(link, 'href', this.context.linkTo(servicePath(service.id)));
      setText(node.querySelector('.says'), service.sentence);
    });
  }

  /** One cell a GPU, one bar for each of the shares that it exposes. */
  async fillGpu(service) {
    const names = GPU_BARS.filter((name) => service.signals.includes(name)).slice(0, MAX_GPU_BARS);
    const now = await this.ask(service, names, this.moment());
    const gpus = new Map();
    for (const [name, result] of now) {
      for (const series of result.series) {
        const key = gpuKey(series.labels);
        gpus.set(key, {labels: series.labels, values: {...gpus.get(key)?.values, [name]: series.values.at(-1)}});
      }
    }
    const cells = this.rowOf(service)?.querySelector('.cells');
    if (cells) {
      this.showCells(cells, [...gpus.entries()], names);
    }
    setText(this.sections.gpus.querySelector('.legend-line'), `Bars: ${names.map((name) => this.context.vocabulary.get(name)?.title ?? name).join(' · ')}`);
  }

  showCells(cells, gpus, names) {
    const labels = seriesNames(gpus.map(([, gpu]) => gpu.labels));
    const items = gpus.map(([key, gpu], i) => ({key, gpu, label: labels[i] || gpu.labels.gpu || 'GPU'}));
    const make = () => h('div', {class: 'gpu-cell'}, h('span', {class: 'gpu-name'}), names.map((name) => h('span', {class: 'bar-line', 'data-signal': name}, bar(), figure())));
    reconcile(cells, items, (item) => `${item.key} ${names}`, make, (node, item) => {
      setText(node.firstElementChild, item.label);
      setAttr(node, 'title', Object.entries(item.gpu.labels).map(([name, value]) => `${name}: ${value}`).join('\n'));
      names.forEach((name, i) => {
        const line = node.children[i + 1];
        const value = item.gpu.values[name] ?? null;
        updateBar(line.children[0], value ?? NaN);
        updateFigure(line.children[1], quantity(value, 'ratio'));
        setAttr(line, 'title', this.context.vocabulary.get(name)?.title);
      });
    });
  }

  showTargets(filter) {
    const problems = this.allTargets.filter((target) => target.health !== 'up' || target.inferometer?.badLines > 0);
    const all = this.allTargets.length <= MAX_TARGETS;
    this.sections.targets.hidden = this.allTargets.length === 0;
    this.targets.show(all ? this.allTargets : problems, filter);
    this.moreTargets.replaceChildren(all ? '' : h('a', {href: this.context.linkTo('/targets'), 'data-nav': true}, `All ${this.allTargets.length} targets`));
  }

  destroy() {
    this.seen.observer.disconnect();
    clearTimeout(this.waiting);
  }
}

function section(title, ...children) {
  return h('section', {class: 'part'}, h('h2', {}, title), h('div', {class: 'scroll'}, children));
}

/** What tells one GPU, or one instance of a split GPU, from the others. */
function gpuKey(labels) {
  return ['instance', 'UUID', 'uuid', 'gpu', 'GPU_I_ID'].map((name) => labels[name] ?? '').join(' ');
}

function engineText(service) {
  return [service.engine.title, service.version?.text].filter(Boolean).join(' ');
}

/** The last value of a result's worst series. */
function latestOf(result) {
  const all = (result?.series ?? []).map(({values, low, high}) => ({value: values.at(-1) ?? null, low: low?.at(-1), high: high?.at(-1)}));
  return all.reduce((worst, entry) => (worst.value === null || entry.value > worst.value ? entry : worst), {value: null});
}

function text(value, unit) {
  const shown = quantity(value, unit);
  return `${shown.text} ${shown.unit}`;
}

function countText(value) {
  const shown = quantity(value, 'count');
  return `${shown.text}${shown.unit}`;
}

/** Amber beyond the healthy range. */
function level(value, signal) {
  const high = signal?.healthy?.high;
  return value !== null && high !== null && high !== undefined && value > high ? 'high' : '';
}

/** What to do when there is nothing to see. */
function emptyState() {
  const line = (text) => h('code', {class: 'command'}, text);
  return h(
    'div',
    {class: 'empty', hidden: true},
    h('p', {}, 'Give it the metrics page of an inference engine, a GPU exporter or a host exporter:'),
    line('./inferometer serve http://host:8000'),
    line('./inferometer serve http://host:8000 http://gpu-node:9400 http://gpu-node:9100'),
    h('p', {class: 'muted'}, 'It asks for /metrics if the address has no path, and recognises what answers.'),
  );
}
