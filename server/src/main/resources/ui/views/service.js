/** One service: the sentence, four numbers, then its layers as curves on one time axis with one cursor. */

import {absentGroups, absentPanel} from '../absence.js';
import {CursorGroup} from '../chart.js';
import {CursorColumn} from '../cursor-column.js';
import {h, reconcile, setAttr, setText} from '../dom.js';
import {undirected} from '../format.js';
import {EventLane} from '../event-lane.js';
import {Fold, absentFolds, absentList} from '../fold.js';
import {HeatPanel} from '../heat-panel.js';
import {middle} from '../incident-lanes.js';
import {BANDS, FOLDS, FOUR_NUMBERS, LAYERS, bucketSignal, firstFed, remaining, sortedPanels} from '../layout.js';
import {STATES, known, stateMark, stateShape, updateMark} from '../marks.js';
import {NumberTile} from '../number-tile.js';
import {Colours, Panel} from '../panel.js';
import {ReplicaGrid} from '../replica-grid.js';
import {withNow} from '../series.js';
import {stateWord} from '../verdicts.js';
import {WHY, WhyPanel} from '../why-panel.js';
import {between, momentOf, servicePath, targetPath, windowOf} from '../state.js';

/** The worst are named in the head of the page; all are compared further down. */
const MAX_REPLICAS = 12;
/** Of more exporters than this a band shows the first; the others are in a fold. */
const MAX_OWNERS = 3;
/** Small curves and heat maps need no more, and one range for all of them is one request. */
const COARSE_POINTS = 60;
/** Layers that a service of a kind should tell of; what it lacks of others isn't missed. */
const OWN_LAYERS = {engine: ['request', 'engine'], router: ['request', 'engine'], gpu: ['gpu'], host: ['host'], cluster: [], other: []};

export class ServiceView {
  constructor(context) {
    this.context = context;
    this.id = context.nav.place.id;
    this.title = this.id;
    this.service = null;
    this.panels = [];
    this.heats = [];
    this.numbers = [];
    this.folds = [];
    this.grid = null;
    this.colours = new Colours();
    this.group = new CursorGroup({
      move: () => this.cursorMoved(),
      pin: (time) => this.pin(time),
      zoom: (from, to) => context.nav.go(between(from, to)),
    });
    this.why = new WhyPanel(this.id, {...context, colours: this.colours, group: this.group, openEvidence: (evidence) => this.openEvidence(evidence)}, () => this.setWhy(false));
    this.build();
  }

  build() {
    this.mark = stateMark('unknown');
    this.name = h('h1');
    this.about = h('span', {class: 'muted about'});
    this.sentence = h('p', {class: 'sentence', 'aria-live': 'polite'});
    this.replicas = h('ul', {class: 'replica-list'});
    this.moreReplicas = h('p', {class: 'muted', hidden: true});
    this.related = h('p', {class: 'related'});
    this.fourNumbers = h('div', {class: 'numbers'});
    this.lane = new EventLane((time) => this.pin(time), (finding) => this.openFinding(finding));
    this.whyButton = h('button', {type: 'button', class: 'small why-button', 'aria-expanded': 'false', hidden: true, onclick: () => this.setWhy(!this.why.isOpen)}, 'Why');
    this.bands = h('div', {class: 'bands'});
    this.foldList = h('div', {class: 'folds'});
    this.column = new CursorColumn();
    this.split = h('button', {type: 'button', class: 'small toggle', 'aria-pressed': 'false', onclick: () => this.context.nav.go({split: !this.context.nav.place.split})}, 'By replica');
    this.content = h('div', {class: 'service-grid'}, h('div', {class: 'main-column'}, this.fourNumbers, this.lane.node, this.bands, this.foldList), h('div', {class: 'side-column'}, this.why.node, this.column.node));
    this.node = h('div', {class: 'page service'}, h('div', {class: 'title-line'}, this.mark, this.name, this.about, this.split), h('div', {class: 'sentence-line'}, this.sentence, this.whyButton), this.replicas, this.moreReplicas, this.related, this.content);
  }

  async refresh(signal, reason) {
    const {nav} = this.context;
    this.group.pin(nav.place.cursor);
    setAttr(this.split, 'aria-pressed', String(nav.place.split));
    if (reason !== 'place' || this.service === null) {
      await this.refreshServices(signal);
    }
    if (this.service !== null) {
      this.showWhy(nav.place.open.includes(WHY));
      await Promise.all([this.refreshNumbers(signal), this.refreshPanels(signal), this.refreshWhy(reason, signal)]);
      this.reveal();
    }
  }

  /** Beside the charts, never a page away from them. */
  setWhy(isOpen) {
    this.context.nav.toggleOpen(WHY, isOpen);
    this.showWhy(isOpen);
    this.context.again();
  }

  /** By a key. */
  toggleWhy() {
    if (this.service?.kind === 'engine') {
      this.setWhy(!this.why.isOpen);
    }
  }

  showWhy(isOpen) {
    this.why.isOpen = isOpen && this.service.kind === 'engine';
    setAttr(this.whyButton, 'aria-expanded', String(this.why.isOpen));
    setAttr(this.content, 'data-why', this.why.isOpen);
  }

  async refreshWhy(reason, signal) {
    if (this.why.isOpen) {
      const {place} = this.context.nav;
      await this.why.refresh(place.cursor ?? place.to, reason === 'tick', signal);
      this.showHappened(this.shownWindow);
      this.showThresholds();
    }
  }

  /** What the diagnosis held a signal against stands on its chart. */
  showThresholds() {
    const thresholds = this.why.thresholds();
    for (const {panel} of this.panels.filter(({panel: one}) => one.service === this.id)) {
      const named = panel.signals.find(({name}) => thresholds.has(name));
      panel.setThreshold(named === undefined ? null : thresholds.get(named.name));
    }
  }

  openEvidence({signal}) {
    this.context.nav.go({reveal: signal});
  }

  /** The diagnosis of a finding: of now while it lasts, else of its middle. */
  openFinding(finding) {
    const cursor = finding.end === null ? null : Math.round(middle(finding));
    this.context.nav.go({cursor, open: [...this.context.nav.place.open.filter((name) => name !== WHY), WHY]});
  }

  async refreshServices(signal) {
    const services = await this.context.loadServices(signal);
    const service = services.find(({id}) => id === this.id) ?? null;
    if (service === null) {
      this.showMissing();
      return;
    }
    const related = service.related.map(({id, because}) => ({service: services.find((other) => other.id === id), because})).filter((other) => other.service);
    const shape = JSON.stringify([service.signals, service.absent, service.replicas.length > 1, related.map((other) => [other.service.id, other.service.signals])]);
    this.service = service;
    this.showHead(service, related);
    if (shape !== this.shape) {
      this.shape = shape;
      this.arrange(service, related.map((other) => other.service));
    }
    if (this.grid) {
      this.grid.service = service;
    }
  }

  showMissing() {
    setText(this.name, this.id);
    setText(this.sentence, 'No service of this name is watched now.');
    this.content.hidden = this.service === null;
    updateMark(this.mark, 'unknown');
  }

  showHead(service, related) {
    this.content.hidden = false;
    this.context.setTitle(service.name);
    updateMark(this.mark, service.state, stateWord(service));
    setText(this.name, service.name);
    const model = service.model === null && service.kind === 'engine' ? 'no model named' : service.model !== service.name ? service.model : null;
    setText(this.about, [service.engine.title, service.version?.text, model].filter(Boolean).join(' · '));
    setAttr(this.about, 'title', service.version?.because ?? null);
    setText(this.sentence, undirected(service.sentence));
    this.whyButton.hidden = service.kind !== 'engine';
    this.split.hidden = service.replicas.length < 2;
    this.showReplicas(service.replicas);
    this.related.hidden = related.length === 0;
    this.related.replaceChildren(
      ...related.flatMap(({service: other, because}) => [h('a', {href: this.context.linkTo(servicePath(other.id)), 'data-nav': true}, stateShape(other.state), ` ${other.name} ${other.engine.title}`, h('span', {class: 'visually-hidden'}, `: ${STATES[known(other.state)].word}`)), h('span', {class: 'muted'}, ` ${because}`)]),
    );
  }

  showReplicas(replicas) {
    const bad = (replica) => replica.state !== 'ok' && replica.state !== 'idle';
    const rank = ({state}) => STATES[known(state)].rank;
    const shown = [...replicas].sort((a, b) => rank(a) - rank(b)).slice(0, MAX_REPLICAS);
    this.moreReplicas.hidden = replicas.length <= MAX_REPLICAS;
    setText(this.moreReplicas, `${replicas.length - MAX_REPLICAS} more, compared below.`);
    const make = () => h('li');
    reconcile(this.replicas, shown, (replica) => `${replica.job} ${replica.instance}`, make, (item, replica) => {
      const words = `${replica.instance} ${STATES[known(replica.state)].word} ${replica.sentence}`;
      if (item.dataset.shown !== words) {
        item.dataset.shown = words;
        item.replaceChildren(stateShape(replica.state), h('a', {href: this.context.linkTo(targetPath(replica.instance)), 'data-nav': true}, replica.instance), h('span', {class: bad(replica) ? 'word' : 'visually-hidden'}, STATES[known(replica.state)].word));
        item.title = replica.sentence;
      }
    });
  }

  /** Makes the panels that the service and what belongs to it can feed. */
  arrange(service, related) {
    [...this.panels.map(({panel}) => panel), ...this.heats.map(({panel}) => panel)].forEach((panel) => panel.destroy());
    this.panels = [];
    this.heats = [];
    this.group.charts.clear();
    this.arrangeNumbers(service);
    const owners = [service, ...related];
    const shown = new Map(owners.map((owner) => [owner.id, []]));
    this.grid = service.replicas.length > 1 ? new ReplicaGrid(service, {...this.context, group: this.group}) : null;
    this.bands.replaceChildren(...[...LAYERS.map(([layer, title]) => this.band(layer, title, owners, shown)), this.grid?.node].filter(Boolean));
    this.arrangeFolds(service, owners, shown);
  }

  arrangeFolds(service, owners, shown) {
    const named = service.kind === 'engine' || service.kind === 'router' ? FOLDS.map((fold) => this.namedFold(fold, service, shown)) : [];
    const rest = LAYERS.map(([layer, title]) => this.restFold(layer, title, owners, shown)).filter(Boolean);
    this.folds = [...named.filter((fold) => fold instanceof Fold), ...rest];
    const absent = absentFolds(named.filter((fold) => fold !== null && !(fold instanceof Fold)));
    const all = this.absentFold(service);
    if (all) {
      this.folds.push(all);
    }
    this.foldList.replaceChildren(...this.folds.filter((fold) => fold !== all).map((fold) => fold.node), ...absent, ...(all ? [all.node] : []));
  }

  arrangeNumbers(service) {
    const {vocabulary} = this.context;
    const taken = new Set();
    const choose = (alternatives) => {
      const name = alternatives.find((one) => service.signals.includes(one) && !taken.has(one)) ?? alternatives[0];
      taken.add(name);
      return name;
    };
    const chosen = (FOUR_NUMBERS[service.kind] ?? []).map(choose);
    const names = chosen.length > 0 ? [...new Set(chosen)] : service.signals.slice(0, 4);
    this.numbers = names.filter((name) => vocabulary.has(name)).map((name) => new NumberTile(vocabulary.get(name), service));
    this.fourNumbers.hidden = this.numbers.length === 0;
    this.fourNumbers.replaceChildren(...this.numbers.map((tile) => tile.node));
  }

  band(layer, title, all, shown) {
    const owners = all.filter((owner) => sortedPanels(BANDS[layer], owner).fed.length > 0 || owner === this.service).slice(0, MAX_OWNERS);
    const sorted = owners.map((owner) => ({owner, ...sortedPanels(BANDS[layer], owner)}));
    const feeding = sorted.filter(({fed}) => fed.length > 0);
    const panels = feeding.flatMap(({owner, fed}) =>
      fed.map((names) => {
        shown.get(owner.id).push(names);
        return this.panel(owner, names, feeding.length > 1 ? owner.name : '', () => true).node;
      }),
    );
    const missing = this.missing(layer, sorted);
    if (panels.length + missing.length === 0) {
      return null;
    }
    const more = all.filter((owner) => !owners.includes(owner) && sortedPanels(BANDS[layer], owner).fed.length > 0).length;
    const rest = more > 0 && h('p', {class: 'muted'}, `${more} more that belong to it: see below, under more of the ${title} layer${layer === 'gpu' ? ', or ' : '.'}`, layer === 'gpu' && h('a', {href: this.context.linkTo('/gpus'), 'data-nav': true}, 'all GPUs'));
    return h('section', {class: 'band', 'data-layer': layer}, h('h2', {}, title), h('div', {class: 'panels'}, panels, missing), rest);
  }

  /** What the layer lacks, each fix once; of what belongs to the service only what can be brought. */
  missing(layer, sorted) {
    const seen = new Set();
    const groups = sorted.flatMap(({owner, absent}) => {
      const isOwn = owner === this.service && (OWN_LAYERS[owner.kind] ?? []).includes(layer);
      return absentGroups(owner, absent.flat()).filter(({fix}) => isOwn || (fix !== null && owner !== this.service));
    });
    const fresh = groups.filter(({key}) => !seen.has(key) && seen.add(key));
    return fresh.map((group) => absentPanel(group, this.context.vocabulary));
  }

  panel(owner, names, suffix, isShown) {
    const signals = names.map((name) => this.context.vocabulary.get(name)).filter(Boolean);
    const id = owner.id === this.id ? names[0] : `${names[0]}@${owner.id.replaceAll(',', '')}`;
    const panel = new Panel({id, service: owner.id, signals, suffix, absent: owner.absent}, {nav: this.context.nav, group: this.group, colours: this.colours});
    this.panels.push({panel, isShown});
    return panel;
  }

  /** @returns {Fold|{id: string, title: string, group: import('../absence.js').AbsentGroup}|null} */
  namedFold({id, title, panels, heat = []}, service, shown) {
    const {fed} = sortedPanels(panels, service);
    const heats = heat.filter((base) => bucketSignal(base, service) !== null);
    const groups = absentGroups(service, [...panels.flat(), ...heat.map((base) => `${base}_p95`)]);
    if (fed.length + heats.length === 0) {
      // A router isn't expected to know what only an engine does.
      const group = groups.find(({fix}) => service.kind === 'engine' || fix !== null);
      return group ? {id, title, group} : null;
    }
    fed.forEach((names) => shown.get(service.id).push(names));
    const fill = () => [
      ...heats.map((base) => this.heat(base, service, fold).node),
      ...fed.map((names) => this.panel(service, names, '', () => fold.isOpen).node),
      ...groups.map((group) => absentPanel(group, this.context.vocabulary)),
    ];
    const note = charts(fed.length + heats.length) + (groups.length > 0 ? ', in part absent' : '');
    const fold = new Fold({id, title, note, signals: fed.flat(), fill}, this.context);
    return fold.begin();
  }

  heat(base, service, fold) {
    const signal = this.context.vocabulary.get(bucketSignal(base, service));
    const panel = new HeatPanel({base, service: service.id, signal}, {nav: this.context.nav, group: this.group, colours: this.colours});
    this.heats.push({panel, isShown: () => fold.isOpen});
    return panel;
  }

  restFold(layer, title, owners, shown) {
    const panels = owners.flatMap((owner) => remaining(owner, shown.get(owner.id), [...this.context.vocabulary.values()], layer).map((names) => [owner, names]));
    if (panels.length === 0) {
      return null;
    }
    const fill = () => panels.map(([owner, names]) => this.panel(owner, names, owner.id === this.id ? '' : owner.name, () => fold.isOpen).node);
    const fold = new Fold({id: `more-${layer}`, title: `More of the ${title} layer`, note: charts(panels.length), signals: panels.flatMap(([, names]) => names), fill}, this.context);
    return fold.begin();
  }

  /** All that the service doesn't tell, at the foot. */
  absentFold(service) {
    const groups = absentGroups(service);
    if (groups.length === 0) {
      return null;
    }
    const fixable = groups.filter(({fix}) => fix !== null).length;
    const note = `${service.absent.length} signals${fixable > 0 ? `, ${fixable} ${fixable === 1 ? 'setting or release brings' : 'settings or releases bring'} some of them` : ''}`;
    const fill = () => [absentList(groups, this.context.vocabulary)];
    return new Fold({id: 'absent', title: 'What it doesn’t tell', note, signals: service.absent.map(({signal}) => signal), fill}, this.context).begin();
  }

  /** Shows the signal that the URL names, wherever it stands; what is closed over it is opened first. */
  reveal() {
    const wanted = this.context.nav.place.reveal;
    if (wanted === '') {
      return;
    }
    const shown = this.panels.find(({panel}) => panel.signals.some(({name}) => name === wanted));
    const closed = shown ? undefined : this.folds.find((fold) => !fold.isOpen && fold.signals.includes(wanted));
    if (closed) {
      closed.open();
      this.context.nav.toggleOpen(closed.id, true);
      this.context.again();
      return;
    }
    this.context.nav.go({reveal: ''}, {replace: true, silent: true});
    (shown?.panel.node ?? this.foldList).scrollIntoView({block: 'center'});
    shown?.panel.plot.focus({preventScroll: true});
  }

  async refreshNumbers(signal) {
    const {client, nav} = this.context;
    const moment = this.moment();
    await Promise.all(this.numbers.map((tile) => tile.refresh(client, moment, windowOf(nav.place, client.now(), COARSE_POINTS), signal)));
  }

  async refreshPanels(signal) {
    const {client, nav} = this.context;
    const window = windowOf(nav.place, client.now());
    const coarse = windowOf(nav.place, client.now(), COARSE_POINTS);
    const moment = this.moment();
    const shown = this.panels.filter(({isShown}) => isShown());
    const heats = this.heats.filter(({isShown}) => isShown());
    this.shownWindow = {...window, end: Math.max(window.end, moment.end)};
    this.showHappened(this.shownWindow);
    await Promise.all([
      ...shown.map((entry) => this.refreshPanel(entry, window, moment, signal)),
      ...heats.map(({panel}) => panel.refresh(client, coarse, signal)),
      this.grid?.refresh(client, coarse, moment, signal),
    ]);
    this.showColumn();
  }

  /** In the lane above the charts, and on each of them. */
  showHappened(window) {
    const found = this.context.findings.happened(window, this.id).filter(({kind}) => kind === 'finding');
    const happened = [...this.context.simulation.happened(window), ...found].sort((a, b) => a.start - b.start);
    this.group.marks = [...this.why.marks(), ...happened];
    this.lane.show(happened, window);
  }

  /** Curves move by whole steps: between two of them only the values of this moment are asked for. */
  async refreshPanel(entry, window, moment, signal) {
    const {client, nav} = this.context;
    const request = entry.panel.request(nav.place.split);
    const key = JSON.stringify([window, request]);
    const kept = entry.key === key ? entry.curves : client.signals(request, window, signal);
    const [curves, now] = await Promise.all([kept, client.signals(request, moment, signal)]);
    entry.key = key;
    entry.curves = curves;
    entry.panel.show({...window, end: Math.max(window.end, moment.end)}, withNow(curves, now));
  }

  /** @returns {import('../types.js').Window} */
  moment() {
    const at = Math.floor(momentOf(this.context.nav.place, this.context.client.now()) * 10) / 10;
    return {start: at, end: at, step: 1};
  }

  pin(time) {
    this.group.pinned = time;
    this.context.nav.go({cursor: time}, {replace: true, silent: true});
    this.group.draw(null);
    this.refreshWhy('place').catch(this.context.report);
  }

  escape() {
    if (this.group.pinned === null) {
      return false;
    }
    this.pin(null);
    return true;
  }

  cursorMoved() {
    if (!this.drawing) {
      this.drawing = requestAnimationFrame(() => {
        this.drawing = null;
        this.panels.forEach(({panel}) => panel.showAtCursor());
        this.heats.forEach(({panel}) => panel.showDetails());
        this.grid?.show();
        this.showColumn();
      });
    }
  }

  showColumn() {
    this.column.show(this.group.time, this.panels.filter(({panel, isShown}) => isShown() && panel.picture !== null).map(({panel}) => panel));
  }

  repaint() {
    this.panels.forEach(({panel}) => panel.chart?.repaint());
    this.heats.forEach(({panel}) => panel.repaint());
  }

  destroy() {
    [...this.panels, ...this.heats].forEach(({panel}) => panel.destroy());
    this.why.destroy();
    cancelAnimationFrame(this.drawing);
  }
}

function charts(count) {
  return count === 1 ? '1 chart' : `${count} charts`;
}
