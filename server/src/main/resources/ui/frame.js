/** What stands around every page: the rail, the bar with the time range, and what is said when the server is gone. */

import {h, reconcile, setAttr, setText, svg} from './dom.js';
import {clock, duration, moment} from './format.js';
import {STATES, known, stateShape} from './marks.js';
import {active} from './simulation.js';
import {RANGES, between, formatSpan, servicePath} from './state.js';

const MAX_RAIL_SERVICES = 12;
/** The state of the store is asked for at most this often. */
const STORE_ASKED_MS = 10_000;
const RAIL_KEY = 'inferometer.rail';

const PAGES = [
  {page: 'overview', path: '/', title: 'Overview', icon: 'M2 3h12M2 8h12M2 13h12'},
  {page: 'diagnosis', path: '/diagnosis', title: 'Diagnosis', icon: 'M8 1.5v3M8 4.5L3.5 8M8 4.5L12.5 8M3.5 8v2.5M12.5 8v2.5M2 10.5h3v3H2zM11 10.5h3v3h-3z'},
  {page: 'incidents', path: '/incidents', title: 'Incidents', icon: 'M1.5 4h13M1.5 8h13M1.5 12h13M4 2.5v3M9 6.5v3M11.5 10.5v3'},
  {page: 'gpus', path: '/gpus', title: 'GPUs', icon: 'M3.5 3.5h9v9h-9zM6.5 6.5h3v3h-3zM6 1v2.5M10 1v2.5M6 12.5V15M10 12.5V15M1 6h2.5M1 10h2.5M12.5 6H15M12.5 10H15'},
  {page: 'targets', path: '/targets', title: 'Targets', icon: 'M8 1v3M8 12v3M1 8h3M12 8h3M8 4.5a3.5 3.5 0 1 0 0 7a3.5 3.5 0 1 0 0-7'},
  {page: 'query', path: '/query', title: 'Query', icon: 'M2 4l4 4-4 4M8 12.5h6'},
  {page: 'demo', path: '/demo', title: 'Demo', icon: 'M6 1.5h4M7 1.5v4.5L2.5 13.5a.7.7 0 0 0 .6 1h9.8a.7.7 0 0 0 .6-1L9 6V1.5M4.8 10h6.4'},
];

/** Pages that not every server has; they are shown once it is known that this one does. */
const OPTIONAL_PAGES = ['gpus', 'demo'];

const KIND_WORDS = {router: 'router', gpu: 'GPU', host: 'host', cluster: 'cluster'};
/** Pages that are part of another. */
const PART_OF = {target: 'targets'};
const RANGE_WORDS = {'15m': '15 m', '1h': '1 h', '6h': '6 h', '24h': '24 h'};

function icon(path) {
  return svg('svg', {class: 'icon-svg', viewBox: '0 0 16 16', width: 16, height: 16, 'aria-hidden': 'true'}, svg('path', {d: path}));
}

/** The rail: pages that work, and the services that are worst off. */
export class Rail {
  constructor(context, openPalette) {
    this.context = context;
    this.links = PAGES.map((page) => h('a', {href: page.path, 'data-nav': true, 'data-page': page.page, title: page.title, hidden: OPTIONAL_PAGES.includes(page.page)}, icon(page.icon), h('span', {class: 'rail-word'}, page.title)));
    this.services = h('div', {class: 'rail-services'});
    this.more = h('button', {type: 'button', class: 'rail-more', hidden: true, onclick: openPalette});
    const search = h('button', {type: 'button', class: 'rail-search', onclick: openPalette, title: 'Go to (Ctrl K)'}, icon('M7 2a5 5 0 1 0 0 10A5 5 0 1 0 7 2M10.8 10.8L14.5 14.5'), h('span', {class: 'rail-word'}, 'Go to'));
    const fold = h('button', {type: 'button', class: 'rail-fold', title: 'Collapse or expand', 'aria-label': 'Collapse or expand the rail', onclick: () => this.fold()}, icon('M10 3L5 8l5 5'));
    this.node = h('nav', {class: 'rail', 'aria-label': 'Pages'}, h('div', {class: 'rail-pages'}, this.links, search), h('h2', {class: 'rail-title'}, 'Services'), this.services, this.more, fold);
    setAttr(document.documentElement, 'data-rail', remembered(RAIL_KEY));
  }

  fold() {
    const folded = document.documentElement.dataset.rail === 'folded' ? 'open' : 'folded';
    document.documentElement.dataset.rail = folded;
    remember(RAIL_KEY, folded);
  }

  showPlace(place) {
    this.links.forEach((link, i) => {
      setAttr(link, 'aria-current', link.dataset.page === (PART_OF[place.page] ?? place.page) ? 'page' : null);
      setAttr(link, 'href', this.context.linkTo(PAGES[i].path));
    });
    [...this.services.children].forEach((link) => {
      setAttr(link, 'aria-current', place.page === 'service' && link.dataset.key === place.id ? 'page' : null);
      setAttr(link, 'href', this.context.linkTo(servicePath(link.dataset.key)));
    });
  }

  /** Shows the link to a page that not every server has. */
  showPage(page, isThere) {
    this.links.find((link) => link.dataset.page === page).hidden = !isThere;
  }

  /** @param {import('./types.js').Service[]} services */
  showServices(services) {
    this.showPage('gpus', services.some(({kind}) => kind === 'gpu'));
    const make = (service) => h('a', {'data-nav': true, href: servicePath(service.id)});
    reconcile(this.services, services.slice(0, MAX_RAIL_SERVICES), (service) => service.id, make, (link, service) => {
      const key = `${service.state} ${service.name}`;
      if (link.dataset.shown !== key) {
        link.dataset.shown = key;
        link.title = `${service.name}: ${STATES[known(service.state)].word}`;
        link.replaceChildren(stateShape(service.state), h('span', {class: 'rail-word'}, service.name, KIND_WORDS[service.kind] && h('span', {class: 'rail-kind'}, ` ${KIND_WORDS[service.kind]}`)), h('span', {class: 'visually-hidden'}, `: ${STATES[known(service.state)].word}`));
      }
    });
    const more = services.length - MAX_RAIL_SERVICES;
    this.more.hidden = more <= 0;
    setText(this.more, `${more} more`);
    this.showPlace(this.context.nav.place);
  }
}

/** Says on every page that the fleet isn't real, and what is done to it. */
export class DemoLine {
  constructor(context) {
    this.context = context;
    this.text = h('span', {role: 'status'});
    this.link = h('a', {href: '/demo', 'data-nav': true}, 'Break something');
    this.node = h('div', {class: 'store-line demo-line', hidden: true}, this.text, ' ', this.link);
    context.simulation.onChange(() => this.show());
  }

  show() {
    const {nav, simulation} = this.context;
    this.node.hidden = simulation.view === null || nav.place.page === 'demo';
    if (simulation.view !== null) {
      const done = active(simulation.view);
      setText(this.text, done.length === 0 ? 'A simulated fleet.' : `A simulated fleet, to which something is done: ${done.map(({title, on, since}) => `${title}${on ? ` (${on})` : ''} since ${clock(since)}`).join(', ')}.`);
      setText(this.link, done.length === 0 ? 'Break something' : 'Undo it, or more');
      setAttr(this.link, 'href', this.context.linkTo('/demo'));
    }
  }
}

/** What stands in place of a page until the server is ready: what it does before, and how far it is. */
export class WaitingPage {
  constructor() {
    this.sentence = h('p', {class: 'sentence', role: 'status'});
    this.bar = h('progress', {max: 100, 'aria-label': 'How far it is', hidden: true});
    this.node = h('div', {class: 'page waiting'}, this.sentence, this.bar);
  }

  /** @param {string} waitsFor such as `making 30 minutes of history: 40 %` */
  show(waitsFor) {
    const percent = /(\d+) %$/.exec(waitsFor);
    setText(this.sentence, `${waitsFor.charAt(0).toUpperCase()}${waitsFor.slice(1)}.`);
    this.bar.hidden = percent === null;
    if (percent !== null) {
      setAttr(this.bar, 'value', percent[1]);
    }
  }
}

function remembered(key) {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

function remember(key, value) {
  try {
    localStorage.setItem(key, value);
  } catch {
    // Without storage it lasts as long as the page.
  }
}

/** The bar at the top: what is looked at, the time range, theme and palette. */
export class TopBar {
  constructor(context, openPalette, openHelp) {
    this.context = context;
    const {nav} = context;
    this.live = h('button', {type: 'button', class: 'live', onclick: () => this.toggleLive()}, h('span', {class: 'live-dot', 'aria-hidden': 'true'}), h('span', {class: 'live-word'}));
    this.ranges = RANGES.map(([name, span]) => h('button', {type: 'button', 'data-span': span, onclick: () => nav.go({span})}, RANGE_WORDS[name]));
    this.select = h('select', {class: 'range-select', 'aria-label': 'Time range', onchange: () => nav.go({span: Number(this.select.value)})});
    this.custom = h('button', {type: 'button', class: 'custom', 'aria-expanded': 'false', onclick: () => this.toggleCustom()}, 'Custom');
    this.form = this.customForm();
    this.when = h('span', {class: 'when muted'});
    this.theme = h('button', {type: 'button', class: 'icon theme', onclick: () => this.nextTheme()});
    this.node = h(
      'header',
      {class: 'top'},
      h('a', {class: 'brand', href: '/', 'data-nav': true}, icon('M1.5 10h2.5l2-6 2.5 8.5 1.8-5h3.2'), h('span', {}, 'Inferometer')),
      h('div', {class: 'range', role: 'group', 'aria-label': 'Time range'}, this.live, h('span', {class: 'segments'}, this.ranges, this.custom), this.select, this.form),
      this.when,
      h('span', {class: 'spacer'}),
      h('button', {type: 'button', class: 'palette-button', onclick: openPalette}, 'Go to', h('kbd', {}, 'Ctrl K')),
      h('button', {type: 'button', class: 'icon help-button', title: 'Keys', 'aria-label': 'Keys', onclick: openHelp}, '?'),
      this.theme,
    );
    this.showTheme();
  }

  customForm() {
    const from = h('input', {type: 'datetime-local', step: 1, name: 'from', required: true});
    const to = h('input', {type: 'datetime-local', step: 1, name: 'to', required: true});
    const form = h('form', {class: 'custom-form', hidden: true}, h('label', {}, 'From', from), h('label', {}, 'To', to), h('button', {type: 'submit', class: 'primary'}, 'Show'));
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      const [start, end] = [from, to].map((input) => new Date(input.value).getTime() / 1000);
      if (Number.isFinite(start) && Number.isFinite(end) && start !== end) {
        this.toggleCustom();
        this.context.nav.go(between(start, end));
      }
    });
    this.fields = {from, to};
    return form;
  }

  toggleCustom() {
    this.form.hidden = !this.form.hidden;
    setAttr(this.custom, 'aria-expanded', String(!this.form.hidden));
    if (!this.form.hidden) {
      const {place} = this.context.nav;
      const end = Math.floor(place.to ?? this.context.client.now());
      this.fields.from.value = localInput(end - place.span);
      this.fields.to.value = localInput(end);
      this.fields.from.focus();
    }
  }

  toggleLive() {
    const {nav, client} = this.context;
    nav.go({to: nav.place.to === null ? Math.floor(client.now()) : null, cursor: null});
  }

  showPlace(place) {
    const live = place.to === null;
    setAttr(this.live, 'aria-pressed', String(live));
    setText(this.live.lastElementChild, live ? 'Live' : 'Paused');
    this.live.title = live ? 'Pause (space)' : 'Follow the present again (space)';
    this.ranges.forEach((button) => setAttr(button, 'aria-pressed', String(Number(button.dataset.span) === place.span)));
    const preset = RANGES.some(([, span]) => span === place.span);
    setAttr(this.custom, 'aria-pressed', String(!preset));
    setText(this.custom, preset ? 'Custom' : duration(place.span));
    setText(this.when, live ? '' : `${moment(place.to - place.span)} – ${place.span < 86400 ? clock(place.to) : moment(place.to)}`);
    const spans = preset ? RANGES : [...RANGES, [formatSpan(place.span), place.span]];
    this.select.replaceChildren(...spans.map(([name, span]) => h('option', {value: span, selected: span === place.span}, RANGE_WORDS[name] ?? duration(span))));
  }

  nextTheme() {
    window.inferometerTheme.next();
    this.showTheme();
  }

  showTheme() {
    const choice = window.inferometerTheme.choice();
    const icons = {system: 'M8 2a6 6 0 1 0 0 12zM8 2a6 6 0 0 1 0 12', light: 'M8 5a3 3 0 1 0 0 6a3 3 0 1 0 0-6M8 1v1.5M8 13.5V15M1 8h1.5M13.5 8H15M3 3l1 1M12 12l1 1M3 13l1-1M12 4l1-1', dark: 'M13 9.5A5.5 5.5 0 1 1 6.5 3A4.5 4.5 0 0 0 13 9.5z'};
    this.theme.replaceChildren(icon(icons[choice]));
    this.theme.title = `Theme: ${choice}`;
    setAttr(this.theme, 'aria-label', `Theme: ${choice}`);
  }
}

function localInput(time) {
  return moment(time).replace(' ', 'T');
}

/** Says that the server is gone and since when; the last picture stays with its age. */
export class GoneLine {
  constructor(client) {
    this.client = client;
    this.node = h('div', {class: 'gone', role: 'alert', hidden: true});
    client.onStatus(() => this.show());
    setInterval(() => !this.node.hidden && this.show(), 1000);
  }

  show() {
    const {goneSince, lastAnswer} = this.client;
    this.node.hidden = goneSince === null;
    document.documentElement.toggleAttribute('data-gone', goneSince !== null);
    if (goneSince !== null) {
      const age = lastAnswer === null ? '' : ` What you see is ${duration((Date.now() - lastAnswer) / 1000)} old.`;
      setText(this.node, `Inferometer doesn't answer since ${clock(goneSince / 1000)}.${age} It is asked again until it does.`);
    }
  }
}

/** Says what is wrong with the store, or that it is only shown; and takes the pages of old data to its time. */
export class StoreLine {
  constructor(client, nav, report) {
    this.client = client;
    this.nav = nav;
    this.report = report;
    this.lastAsked = 0;
    this.status = null;
    this.node = h('div', {class: 'store-line', role: 'status', hidden: true});
    client.onTick(() => this.ask());
    client.onStatus(() => this.ask());
  }

  async ask() {
    if (Date.now() - this.lastAsked < STORE_ASKED_MS) {
      return;
    }
    this.lastAsked = Date.now();
    try {
      this.take(await this.client.status());
    } catch (error) {
      this.report(error);
    }
  }

  take(status) {
    const first = this.status === null;
    this.lastAsked = Date.now();
    this.status = status;
    this.show();
    if (first) {
      this.goToData();
    }
  }

  show() {
    const {readOnly, trouble} = this.status;
    const text = trouble !== '' ? `The store: ${trouble}` : readOnly ? readOnlySentence(this.status) : '';
    this.node.hidden = text === '';
    setAttr(this.node, 'data-trouble', trouble !== '' ? '' : null);
    setText(this.node, text);
  }

  goToData() {
    const {readOnly, maxTime} = this.status;
    if (readOnly && maxTime !== null && this.nav.place.to === null) {
      this.nav.go({to: Math.ceil(maxTime)}, {replace: true});
    }
  }
}

/** @param {{minTime: number|null, maxTime: number|null}} status */
export function readOnlySentence({minTime, maxTime}) {
  return minTime === null ? 'Read only, and there is no data.' : `Read only, data from ${moment(minTime)} to ${moment(maxTime)}.`;
}

/** What `/` narrows the rows to; not there until it is wanted. */
export class Filter {
  constructor(nav) {
    this.nav = nav;
    this.input = h('input', {type: 'search', placeholder: 'Filter', 'aria-label': 'Filter the rows', spellcheck: 'false'});
    this.node = h('div', {class: 'filter', hidden: true}, this.input);
    this.input.addEventListener('input', () => nav.go({filter: this.input.value}, {replace: true}));
    this.input.addEventListener('keydown', (event) => {
      if (event.key === 'Escape') {
        event.stopPropagation();
        this.input.value = '';
        nav.go({filter: ''}, {replace: true});
        this.input.blur();
      } else if (event.key === 'Enter') {
        this.input.blur();
      }
    });
  }

  showPlace(place) {
    if (document.activeElement !== this.input) {
      this.input.value = place.filter;
      this.node.hidden = place.filter === '';
    }
  }

  focus() {
    if (this.node.isConnected) {
      this.node.hidden = false;
      this.input.focus();
    }
  }
}
