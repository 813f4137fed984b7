/** Overview: the sentence, then a row a service, worst first; under it GPUs, hosts and targets. */

import {h, reconcile, setAttr, setText} from '../dom.js';
import {quantity, undirected} from '../format.js';
import {CLUSTER_COLUMNS, GPU_BARS, HOST_COLUMNS, MAX_GPU_BARS, firstFed} from '../layout.js';
import {STATES, bar, figure, known, stateShape, updateBar, updateFigure} from '../marks.js';
import {seriesNames} from '../names.js';
import {columnRow, engineRow, fillColumnRow, fillEngineRow, otherRow, rowSignals, serviceHeads, updateHead} from '../overview-rows.js';
import {diagnosisPath, momentOf, servicePath, windowOf} from '../state.js';
import {TargetTable} from '../target-table.js';
import {isOpen, nameless} from '../verdicts.js';

const SPARK_POINTS = 60;
const MAX_TARGETS = 12;
/** GPUs of one exporter that have a cell here; the page of GPUs shows all. */
const MAX_CELLS = 16;

/** What is the matter with all of them, in words. */
export function overviewSentence(services) {
  return overviewClauses(services).map(undirected).join(' ');
}

/** A clause a service. */
function overviewClauses(services) {
  const bad = services.filter(({state, verdict}) => state === 'critical' || state === 'down' || state === 'degraded' || verdict === 'cannot-tell');
  if (bad.length === 0) {
    return [calmSentence(services)];
  }
  const worst = bad.slice(0, 2).map(({name, sentence}) => `${name}: ${withoutDot(nameless(sentence, name))}.`);
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
  const met = meetingSentence(services.filter(({kind}) => kind === 'engine'));
  if (met !== '') {
    return `${met}${rest}`;
  }
  const judged = services.length - unknown;
  // Not "fine": without goals of their own, nobody knows what their users would call slow.
  const where = judged === 1 ? services.find(({state}) => state !== 'unknown').name : `any of ${judged} services`;
  return `No rule and no goal is broken in ${where}.${rest}`;
}

/** What the diagnosis says of them all; empty if it hasn't looked at one of those that have traffic. */
function meetingSentence(engines) {
  const met = engines.filter(({verdict}) => verdict === 'healthy').length;
  const others = engines.filter(({state, verdict}) => verdict !== 'healthy' && state !== 'idle' && state !== 'unknown').length;
  if (met === 0 || others > 0) {
    return '';
  }
  return met === 1 ? `${engines.find(({verdict}) => verdict === 'healthy').name} meets its goals.` : `${met === engines.length ? 'All ' : ''}${met} services meet their goals.`;
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
    this.whyLink = h('a', {class: 'button small why-button', 'data-nav': true, hidden: true}, 'Why');
    this.gpus = h('div', {class: 'gpu-strip'});
    this.targets = new TargetTable(() => context.client.now(), context);
    this.build();
  }

  build() {
    const columns = (list) => list.map(([, title]) => title);
    /** Kinds in the order of the page: each a table with its rows. */
    this.tables = {
      engine: table('services', serviceHeads('Service'), engineRow),
      router: table('services routers', serviceHeads('Router'), engineRow),
      host: table('hosts', ['State', 'Host', ...columns(HOST_COLUMNS)], () => columnRow(HOST_COLUMNS)),
      cluster: table('hosts clusters', ['State', 'Source', ...columns(CLUSTER_COLUMNS)], () => columnRow(CLUSTER_COLUMNS)),
      other: table('others', null, otherRow),
    };
    this.moreTargets = h('p', {class: 'muted'});
    const gpuLink = h('a', {href: '/gpus', 'data-nav': true}, 'All GPUs with their states');
    this.gpuLink = gpuLink;
    this.sections = {
      engine: section('Services', this.tables.engine.node),
      router: section('Routers and gateways', this.tables.router.node),
      gpu: section('GPUs', h('div', {class: 'legend-line muted'}, ''), this.gpus, h('p', {class: 'all-gpus'}, gpuLink)),
      host: section('Hosts', this.tables.host.node),
      cluster: section('Pods and containers', this.tables.cluster.node),
      other: section('Other', this.tables.other.node),
      targets: section('Targets', this.targets.node, this.moreTargets),
    };
    this.empty = emptyState();
    this.node = h('div', {class: 'page overview'}, h('div', {class: 'sentence-line'}, this.sentence, this.whyLink), this.context.filter.node, this.empty, Object.values(this.sections));
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
    const isEmpty = this.allTargets.length === 0 && this.services.length === 0;
    const isReadOnly = this.context.storeStatus()?.readOnly ?? false;
    this.empty.hidden = !isEmpty || isReadOnly;
    setText(this.sentence, isEmpty ? (isReadOnly ? 'Nothing is scraped: the data can be asked on the query page.' : 'Nothing is watched yet.') : this.services.length === 0 ? 'No target has answered yet.' : overviewSentence(this.services));
    this.showWhy();
    for (const [kind, {body, make}] of Object.entries(this.tables)) {
      this.showRows(body, this.sections[kind], shown.filter((service) => kindOf(service) === kind), make);
    }
    this.showGpus(shown.filter((service) => service.kind === 'gpu'));
    this.showTargets(needle);
  }

  /** To the diagnosis of the service that is worst off. */
  showWhy() {
    const worst = this.services.find(({kind, verdict}) => kind === 'engine' && verdict !== null && isOpen(verdict));
    this.whyLink.hidden = worst === undefined;
    if (worst) {
      setAttr(this.whyLink, 'href', this.context.linkTo(diagnosisPath(worst.id)));
      setAttr(this.whyLink, 'aria-label', `Why: ${worst.name}`);
    }
  }

  showRows(body, part, services, make) {
    part.hidden = services.length === 0;
    const create = (service) => {
      const row = make();
      row.dataset.service = service.id;
      this.seen.watch(row);
      return row;
    };
    reconcile(body, services, (service) => service.id, create, (row, service) => updateHead(row, service, this.context.linkTo));
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
      case 'router':
        return this.fillEngine(service);
      case 'gpu':
        return this.fillGpu(service);
      case 'host':
        return this.fillColumns(service, HOST_COLUMNS);
      case 'cluster':
        return this.fillColumns(service, CLUSTER_COLUMNS);
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
    const {client, nav, vocabulary} = this.context;
    const chosen = rowSignals(service);
    const sparks = chosen.trends.filter(Boolean).map(([name]) => name);
    const instants = [...new Set([...sparks, ...Object.values(chosen.gauges).filter(Boolean)])];
    const window = windowOf(nav.place, client.now(), SPARK_POINTS);
    const [curves, now] = await Promise.all([this.curves(service, sparks, window), this.ask(service, instants, this.moment())]);
    const row = this.rowOf(service);
    if (row) {
      fillEngineRow(row, service, chosen, now, curves, vocabulary);
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

  async fillColumns(service, columns) {
    const names = columns.map(([alternatives]) => firstFed(alternatives, service)).filter(Boolean);
    const now = await this.ask(service, names, this.moment());
    const row = this.rowOf(service);
    if (row) {
      fillColumnRow(row, service, columns, now, this.context.vocabulary);
    }
  }

  showGpus(services) {
    this.sections.gpu.hidden = services.length === 0;
    setAttr(this.gpuLink, 'href', this.context.linkTo('/gpus'));
    const make = (service) => {
      const node = h('div', {class: 'gpu-service', 'data-service': service.id}, h('a', {'data-nav': true, class: 'name'}), h('span', {class: 'says muted'}), h('div', {class: 'cells'}), h('p', {class: 'muted more-cells', hidden: true}));
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
      const more = cells.nextElementSibling;
      more.hidden = gpus.size <= MAX_CELLS;
      setText(more, `${gpus.size - MAX_CELLS} more`);
      this.showCells(cells, [...gpus.entries()].slice(0, MAX_CELLS), names);
    }
    setText(this.sections.gpu.querySelector('.legend-line'), `Bars: ${names.map((name) => this.context.vocabulary.get(name)?.title ?? name).join(' · ')}`);
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

/** Kinds that this page doesn't know are shown all the same. */
function kindOf({kind}) {
  return ['engine', 'router', 'gpu', 'host', 'cluster'].includes(kind) ? kind : 'other';
}

function table(className, heads, make) {
  const body = h('tbody');
  const head = heads && h('thead', {}, h('tr', {}, heads.map((text, i) => h('th', {scope: 'col', class: `c${i}`}, text))));
  return {body, make, node: h('table', {class: `rows ${className}`}, head, body)};
}

/** What tells one GPU, or one instance of a split GPU, from the others. */
function gpuKey(labels) {
  return ['instance', 'UUID', 'uuid', 'gpu', 'GPU_I_ID'].map((name) => labels[name] ?? '').join(' ');
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
    h('p', {}, 'Without any of these, a simulated fleet shows what there is to see:'),
    line('./inferometer demo'),
  );
}
