/** One service: the sentence, four numbers, then its layers as curves on one time axis with one cursor. */

import {CursorGroup} from '../chart.js';
import {h, reconcile, setAttr, setText} from '../dom.js';
import {boundedQuantity, moment, quantity, undirected} from '../format.js';
import {BANDS, FOLDS, FOUR_NUMBERS, LAYERS, fedPanels, firstFed, remaining} from '../layout.js';
import {STATES, figure, known, spark, stateMark, stateShape, updateFigure, updateMark, updateSpark} from '../marks.js';
import {Colours, Panel} from '../panel.js';
import {withNow} from '../series.js';
import {between, momentOf, servicePath, windowOf} from '../state.js';

const MAX_REPLICAS = 32;
/** A panel with more lines than this is one line of the column: from its lowest to its highest value. */
const MAX_COLUMN_LINES = 4;

export class ServiceView {
  constructor(context) {
    this.context = context;
    this.id = context.nav.place.id;
    this.title = this.id;
    this.service = null;
    this.panels = [];
    this.numbers = [];
    this.folds = [];
    this.colours = new Colours();
    this.group = new CursorGroup({
      move: () => this.cursorMoved(),
      pin: (time) => this.pin(time),
      zoom: (from, to) => context.nav.go(between(from, to)),
    });
    this.build();
  }

  build() {
    this.mark = stateMark('unknown');
    this.name = h('h1');
    this.about = h('span', {class: 'muted about'});
    this.sentence = h('p', {class: 'sentence', 'aria-live': 'polite'});
    this.replicas = h('ul', {class: 'replica-list'});
    this.related = h('p', {class: 'related'});
    this.fourNumbers = h('div', {class: 'numbers'});
    this.bands = h('div', {class: 'bands'});
    this.foldList = h('div', {class: 'folds'});
    this.column = h('div', {class: 'cursor-values'});
    this.columnTime = h('p', {class: 'cursor-time'});
    this.split = h('button', {type: 'button', class: 'small toggle', 'aria-pressed': 'false', onclick: () => this.context.nav.go({split: !this.context.nav.place.split})}, 'By replica');
    this.content = h(
      'div',
      {class: 'service-grid'},
      h('div', {class: 'main-column'}, this.fourNumbers, this.bands, this.foldList),
      h('aside', {class: 'side', 'aria-label': 'Values at the cursor'}, this.columnTime, this.column),
    );
    this.node = h('div', {class: 'page service'}, h('div', {class: 'title-line'}, this.mark, this.name, this.about, this.split), this.sentence, this.replicas, this.related, this.content);
  }

  async refresh(signal, reason) {
    const {nav} = this.context;
    this.group.pin(nav.place.cursor);
    setAttr(this.split, 'aria-pressed', String(nav.place.split));
    if (reason !== 'place' || this.service === null) {
      await this.refreshServices(signal);
    }
    if (this.service !== null) {
      await Promise.all([this.refreshNumbers(signal), this.refreshPanels(signal)]);
    }
  }

  async refreshServices(signal) {
    const services = await this.context.loadServices(signal);
    const service = services.find(({id}) => id === this.id) ?? null;
    if (service === null) {
      this.showMissing();
      return;
    }
    const related = service.related.map(({id, because}) => ({service: services.find((other) => other.id === id), because})).filter((other) => other.service);
    const shape = JSON.stringify([service.signals, related.map((other) => [other.service.id, other.service.signals])]);
    this.service = service;
    this.showHead(service, related);
    if (shape !== this.shape) {
      this.shape = shape;
      this.arrange(service, related.map((other) => other.service));
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
    updateMark(this.mark, service.state);
    setText(this.name, service.name);
    setText(this.about, [service.engine.title, service.version?.text, service.model !== service.name ? service.model : null].filter(Boolean).join(' · '));
    setAttr(this.about, 'title', service.version?.because ?? null);
    setText(this.sentence, undirected(service.sentence));
    this.split.hidden = service.replicas.length < 2;
    this.showReplicas(service.replicas);
    this.related.hidden = related.length === 0;
    this.related.replaceChildren(
      ...related.flatMap(({service: other, because}) => [h('a', {href: this.context.linkTo(servicePath(other.id)), 'data-nav': true}, stateShape(other.state), ` ${other.name} ${other.engine.title}`, h('span', {class: 'visually-hidden'}, `: ${STATES[known(other.state)].word}`)), h('span', {class: 'muted'}, ` ${because}`)]),
    );
  }

  showReplicas(replicas) {
    const bad = (replica) => replica.state !== 'ok' && replica.state !== 'idle';
    const shown = [...replicas].sort((a, b) => Number(bad(b)) - Number(bad(a))).slice(0, MAX_REPLICAS);
    const make = () => h('li');
    reconcile(this.replicas, shown, (replica) => `${replica.job} ${replica.instance}`, make, (item, replica) => {
      const words = `${replica.instance} ${STATES[known(replica.state)].word} ${replica.sentence}`;
      if (item.dataset.shown !== words) {
        item.dataset.shown = words;
        item.replaceChildren(stateShape(replica.state), h('span', {}, replica.instance), h('span', {class: bad(replica) ? 'word' : 'visually-hidden'}, STATES[known(replica.state)].word));
        item.title = replica.sentence;
      }
    });
  }

  /** Makes the panels that the service and what belongs to it can feed. */
  arrange(service, related) {
    this.panels.forEach(({panel}) => panel.destroy());
    this.panels = [];
    this.group.charts.clear();
    this.arrangeNumbers(service);
    const owners = [service, ...related];
    const shown = new Map(owners.map((owner) => [owner.id, []]));
    this.bands.replaceChildren(...LAYERS.map(([layer, title]) => this.band(layer, title, owners, shown)).filter(Boolean));
    this.folds = [...FOLDS.map((fold) => this.namedFold(fold, service, shown)), ...LAYERS.map(([layer, title]) => this.restFold(layer, title, owners, shown))].filter(Boolean);
    this.foldList.replaceChildren(...this.folds.map((fold) => fold.node));
  }

  arrangeNumbers(service) {
    const chosen = FOUR_NUMBERS[service.kind] ?? [];
    const names = chosen.length > 0 ? chosen.map((alternatives) => firstFed(alternatives, service) ?? alternatives[0]) : service.signals.slice(0, 4);
    this.numbers = names.filter((name) => this.context.vocabulary.has(name)).map((name) => new NumberTile(this.context.vocabulary.get(name), service));
    this.fourNumbers.replaceChildren(...this.numbers.map((tile) => tile.node));
  }

  band(layer, title, owners, shown) {
    const feeding = owners.filter((owner) => fedPanels(BANDS[layer], owner).length > 0);
    const panels = feeding.flatMap((owner) =>
      fedPanels(BANDS[layer], owner).map((names) => {
        shown.get(owner.id).push(names);
        return this.panel(owner, names, feeding.length > 1 ? owner.name : '', () => true);
      }),
    );
    if (panels.length === 0) {
      return null;
    }
    return h('section', {class: 'band', 'data-layer': layer}, h('h2', {}, title), h('div', {class: 'panels'}, panels.map((panel) => panel.node)));
  }

  panel(owner, names, suffix, isShown) {
    const signals = names.map((name) => this.context.vocabulary.get(name)).filter(Boolean);
    const id = owner.id === this.id ? names[0] : `${names[0]}@${owner.id.replaceAll(',', '')}`;
    const panel = new Panel({id, service: owner.id, signals, suffix}, {nav: this.context.nav, group: this.group, colours: this.colours});
    this.panels.push({panel, isShown});
    return panel;
  }

  namedFold(fold, service, shown) {
    const panels = fedPanels(fold.panels, service);
    panels.forEach((names) => shown.get(service.id).push(names));
    const wanted = fold.panels.flat();
    if (service.kind !== 'engine') {
      return null;
    }
    const reason = service.absent.find(({signal}) => wanted.includes(signal))?.reason ?? 'nothing exposes it here';
    return this.fold(fold.id, fold.title, panels.map((names) => [service, names]), reason);
  }

  restFold(layer, title, owners, shown) {
    const panels = owners.flatMap((owner) => remaining(owner, shown.get(owner.id), [...this.context.vocabulary.values()], layer).map((names) => [owner, names]));
    return panels.length === 0 ? null : this.fold(`more-${layer}`, `More of the ${title} layer`, panels, '');
  }

  /** A part that is closed at first. Closed, it neither asks nor draws; without signals it says so and stays closed. */
  fold(id, title, panels, reason) {
    const body = h('div', {class: 'panels'});
    const isEmpty = panels.length === 0;
    const button = h('button', {type: 'button', class: 'fold-title', 'aria-expanded': 'false', disabled: isEmpty}, title, h('span', {class: 'muted'}, isEmpty ? ` absent: ${reason}` : ` ${panels.length}`));
    const node = h('section', {class: 'fold', 'data-fold': id}, button, body);
    const fold = {id, node, isOpen: false};
    const open = () => {
      fold.isOpen = !fold.isOpen;
      setAttr(button, 'aria-expanded', String(fold.isOpen));
      body.hidden = !fold.isOpen;
      if (fold.isOpen && body.childElementCount === 0) {
        body.append(...panels.map(([owner, names]) => this.panel(owner, names, owner.id === this.id ? '' : owner.name, () => fold.isOpen).node));
      }
    };
    body.hidden = true;
    button.addEventListener('click', () => {
      open();
      this.context.nav.toggleOpen(id, fold.isOpen);
        this.context.again();
    });
    if (!isEmpty && this.context.nav.place.open.includes(id)) {
      open();
    }
    return fold;
  }

  async refreshNumbers(signal) {
    const {client, nav} = this.context;
    const moment = this.moment();
    await Promise.all(this.numbers.map((tile) => tile.refresh(client, moment, windowOf(nav.place, client.now(), 60), signal)));
  }

  async refreshPanels(signal) {
    const {client, nav} = this.context;
    const window = windowOf(nav.place, client.now());
    const moment = this.moment();
    const shown = this.panels.filter(({isShown}) => isShown());
    await Promise.all(shown.map((entry) => this.refreshPanel(entry, window, moment, signal)));
    this.showColumn();
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
        this.panels.forEach(({panel}) => panel.showValue());
        this.showColumn();
      });
    }
  }

  /** Every value at the cursor, by layer. */
  showColumn() {
    const {time} = this.group;
    setText(this.columnTime, time === null ? 'Now' : moment(time));
    const shown = this.panels.filter(({panel, isShown}) => isShown() && panel.picture !== null);
    const groups = LAYERS.map(([layer, title]) => ({layer, title, panels: shown.filter(({panel}) => panel.layer === layer)})).filter(({panels}) => panels.length > 0);
    reconcile(
      this.column,
      groups,
      (item) => item.layer,
      (item) => h('section', {'data-layer': item.layer}, h('h3', {}, item.title), h('dl')),
      (node, item) => this.showColumnLayer(node.lastElementChild, item.panels),
    );
  }

  showColumnLayer(list, panels) {
    const rows = panels.flatMap(({panel}) => {
      const values = panel.valuesAtCursor();
      if (values.length > MAX_COLUMN_LINES) {
        return [{key: panel.id, title: panel.title, label: `× ${values.length}`, color: `--${panel.layer}`, quantity: spanOf(values, panel.unit)}];
      }
      return values.map((entry, i) => ({...entry, key: `${panel.id} ${i}`, title: panel.title, label: values.length === 1 ? '' : entry.label}));
    });
    reconcile(
      list,
      rows,
      (row) => row.key,
      () => h('div', {}, h('dt', {}, h('span', {class: 'what'}), h('span', {class: 'which'})), h('dd', {}, figure())),
      (node, row) => {
        setText(node.querySelector('.what'), row.title);
        setText(node.querySelector('.which'), row.label);
        setAttr(node.firstElementChild, 'title', `${row.title} ${row.label}`);
        node.style.setProperty('--swatch', `var(${row.color})`);
        updateFigure(node.lastElementChild.firstElementChild, row.quantity);
      },
    );
  }

  repaint() {
    this.panels.forEach(({panel}) => panel.chart?.repaint());
  }

  destroy() {
    this.panels.forEach(({panel}) => panel.destroy());
    cancelAnimationFrame(this.drawing);
  }
}

/** One of the few numbers at the top: value, unit, goal and trend. */
class NumberTile {
  constructor(signal, service) {
    this.signal = signal;
    this.service = service;
    this.figure = figure('big');
    this.goal = h('span', {class: 'goal-text muted'});
    this.spark = spark();
    this.curveKey = '';
    this.node = h('div', {class: 'number-tile', 'data-signal': signal.name, 'data-layer': signal.layer, title: [signal.meaning, signal.caveat].filter(Boolean).join(' ')}, h('h3', {}, signal.title), h('div', {class: 'line'}, this.figure, this.spark), this.goal);
  }

  async refresh(client, at, window, abort) {
    const request = {service: this.service.id, signals: [this.signal.name]};
    const [now] = await Promise.all([client.signals(request, at, abort), this.refreshCurve(client, request, window, abort)]);
    const [result] = now.results;
    const worst = result.series.reduce((max, series) => (max === null || series.values.at(-1) > max.values.at(-1) ? series : max), null);
    const value = worst?.values.at(-1) ?? null;
    const many = result.series.length > 1 ? `highest of ${result.series.length}` : '';
    updateFigure(this.figure, boundedQuantity(value, result.unit, worst?.low?.at(-1), worst?.high?.at(-1)));
    updateSpark(this.spark, trendOf(this.curve, worst), result.goal);
    setAttr(this.node, 'data-over', result.goal !== null && value !== null && value > result.goal);
    setText(this.goal, this.words(result, value, many));
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

  words(result, value, many) {
    if (result.quality === 'absent') {
      return result.reason ?? 'absent';
    }
    if (result.goal !== null) {
      const goal = quantity(result.goal, result.unit);
      return `goal ${goal.text} ${goal.unit}`;
    }
    const judged = this.signal.kind === 'quantile' || this.signal.kind === 'share';
    return many || (value === null ? 'no value now' : judged ? 'no goal set' : '');
  }
}

function trendOf(result, like) {
  const key = JSON.stringify(like?.labels ?? {});
  return (result.series.find((series) => JSON.stringify(series.labels) === key) ?? result.series[0])?.values ?? [];
}

/** The lowest and the highest of some values in one unit. */
function spanOf(values, unit) {
  const known = values.map((entry) => entry.value).filter((value) => value !== null);
  if (known.length === 0) {
    return quantity(null, unit);
  }
  const high = quantity(Math.max(...known), unit);
  const low = quantity(Math.min(...known), unit);
  return low.unit === high.unit ? {text: `${low.text} – ${high.text}`, unit: high.unit} : {text: `${low.text} ${low.unit} – ${high.text}`, unit: high.unit};
}
