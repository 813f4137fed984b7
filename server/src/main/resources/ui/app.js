/** Starts the pages: puts the frame together, shows the view that the URL names, and refreshes it when there is news. */

import {ApiError, Client, Unreachable, isAbort} from './client.js';
import {h, setText} from './dom.js';
import {Findings, withFindings} from './findings.js';
import {DemoLine, Filter, GoneLine, Rail, StoreLine, TopBar, WaitingPage} from './frame.js';
import {focusRow, helpDialog, listenForKeys} from './keys.js';
import {Palette} from './palette.js';
import {Simulation} from './simulation.js';
import {Navigator, diagnosisPath, format as urlOf, moved, newQuery, parse, zoomed} from './state.js';
import {DemoView} from './views/demo.js';
import {DiagnosisView} from './views/diagnosis.js';
import {GpusView} from './views/gpus.js';
import {IncidentsView} from './views/incidents.js';
import {OverviewView} from './views/overview.js';
import {QueryView} from './views/query.js';
import {ServiceView} from './views/service.js';
import {TargetView} from './views/target.js';
import {TargetsView} from './views/targets.js';

/** Live pages are refreshed at most this often. */
const MIN_REFRESH_MS = 2000;
/** The rail of a page that shows no services. */
const RAIL_REFRESH_MS = 10_000;
/** The old picture is dimmed only if the new one takes longer than this. */
const DIM_AFTER_MS = 300;
/** How far a server is that isn't ready is asked for this often. */
const READY_ASKED_MS = 500;

const VIEWS = {overview: OverviewView, service: ServiceView, diagnosis: DiagnosisView, incidents: IncidentsView, gpus: GpusView, targets: TargetsView, target: TargetView, query: QueryView, demo: DemoView};
/** Pages that ask for the services themselves. */
const ASKING = [OverviewView, ServiceView, DiagnosisView, IncidentsView, GpusView, TargetView, DemoView];

class App {
  constructor() {
    this.client = new Client();
    this.nav = new Navigator(window);
    this.services = [];
    this.view = null;
    this.shownPage = '';
    this.refreshing = null;
    this.lastRefresh = 0;
    this.lastServices = 0;
    this.filter = new Filter(this.nav);
    this.simulation = new Simulation(this.client, (error) => this.report(error));
    this.findings = new Findings(this.client, (error) => this.report(error));
    this.context = this.makeContext();
    this.build();
  }

  makeContext() {
    return {
      client: this.client,
      nav: this.nav,
      filter: this.filter,
      simulation: this.simulation,
      findings: this.findings,
      vocabulary: new Map(),
      /** By id. @type {Map<string, import('./types.js').Cause>} */
      causes: new Map(),
      loadServices: (signal) => this.loadServices(signal),
      linkTo: (path) => this.linkTo(path),
      setTitle: (title) => (document.title = `${title} · Inferometer`),
      report: (error) => this.report(error),
      again: () => this.refresh('data'),
    };
  }

  build() {
    this.help = helpDialog();
    this.palette = new Palette(
      {
        services: () => this.services,
        signals: () => [...this.context.vocabulary.values()],
        causes: () => [...this.context.causes.values()],
        goToCause: (id) => this.goToCause(id),
        linkTo: (path) => this.linkTo(path),
        follow: (url) => this.follow(url),
        goToSignal: (name) => this.goToSignal(name),
        query: (q) => this.nav.go(this.nav.elsewhere('query', {queries: [newQuery(q)]})),
      },
      () => this.actions(),
    );
    const openPalette = () => this.palette.open();
    const openHelp = () => this.help.open || this.help.showModal();
    this.rail = new Rail(this.context, openPalette);
    this.top = new TopBar(this.context, openPalette, openHelp);
    this.gone = new GoneLine(this.client);
    this.storeLine = new StoreLine(this.client, this.nav, this.context.report);
    this.context.storeStatus = () => this.storeLine.status;
    this.demoLine = new DemoLine(this.context);
    this.simulation.onChange(() => this.rail.showPage('demo', true));
    this.trouble = h('div', {class: 'trouble', role: 'alert', hidden: true});
    this.main = h('main', {id: 'content', tabindex: -1});
    document.getElementById('app').append(this.top.node, this.rail.node, h('div', {class: 'middle'}, this.gone.node, this.storeLine.node, this.demoLine.node, this.trouble, this.main), this.palette.node, this.help);
    listenForKeys(this.keyActions(openHelp), openPalette);
    document.addEventListener('click', (event) => this.clicked(event));
    document.addEventListener('theme', () => this.view?.repaint?.());
  }

  actions() {
    const page = (title, path) => ({title, hint: 'Page', run: () => this.follow(this.linkTo(path))});
    return [
      page('Overview', '/'),
      page('Diagnosis', '/diagnosis'),
      page('Incidents', '/incidents'),
      page('GPUs', '/gpus'),
      page('Targets', '/targets'),
      page('Query', '/query'),
      ...(this.simulation.isThere ? [page('Demo', '/demo')] : []),
      {title: 'Pause or go live', hint: 'space', run: () => this.top.toggleLive()},
      {title: 'Change the theme', hint: 'system, light, dark', run: () => this.top.nextTheme()},
      {title: 'Keys', hint: '?', run: () => this.help.showModal()},
    ];
  }

  /** Goes to a signal of the service that is shown, else of the worst service that feeds it, else to where its absence is told. */
  goToSignal(name) {
    const {place} = this.nav;
    const shown = place.page === 'service' ? this.services.find(({id}) => id === place.id) : undefined;
    const feeds = (service) => service?.signals.includes(name);
    const lacks = (service) => service?.absent.some(({signal}) => signal === name);
    const service = feeds(shown) ? shown : this.services.find(feeds) ?? (lacks(shown) ? shown : this.services.find(lacks));
    if (service && service.id === place.id && place.page === 'service') {
      this.nav.go({reveal: name});
    } else if (service) {
      this.nav.go(this.nav.elsewhere('service', {id: service.id, reveal: name}));
    }
  }

  /** Goes to the diagnosis that has a cause now, else to where it says why it hasn't. */
  goToCause(id) {
    const has = (service) => this.findings.of(service.id)?.findings.some(({cause}) => cause === id) ?? false;
    const service = this.services.find(has);
    const shown = ['service', 'diagnosis'].includes(this.nav.place.page) ? this.nav.place.id : '';
    this.nav.go(this.nav.elsewhere('diagnosis', {id: service?.id ?? shown, reveal: id}));
  }

  /** The diagnosis of the service that is shown, else of the worst. */
  goToDiagnosis() {
    const {page, id} = this.nav.place;
    this.follow(this.linkTo(diagnosisPath(page === 'service' ? id : '')));
  }

  keyActions(openHelp) {
    const {nav} = this;
    const move = (share) => nav.go(moved(nav.place, share, this.client.now()));
    const zoom = (factor) => nav.go(zoomed(nav.place, factor, this.client.now()));
    return {
      '?': openHelp,
      ':': () => this.palette.open(),
      '/': () => (this.view instanceof QueryView ? this.view.focusEditor() : this.filter.focus()),
      '[': () => move(-0.5),
      ']': () => move(0.5),
      '+': () => zoom(0.5),
      '=': () => zoom(0.5),
      '-': () => zoom(2),
      ' ': () => this.top.toggleLive(),
      d: () => this.goToDiagnosis(),
      i: () => this.follow(this.linkTo('/incidents')),
      w: () => this.view?.toggleWhy?.(),
      j: () => focusRow(this.main, 1),
      k: () => focusRow(this.main, -1),
      Enter: () => document.activeElement?.closest?.('[data-row]')?.dispatchEvent(new CustomEvent('enter')),
      Escape: () => this.back(),
    };
  }

  back() {
    if (this.view?.escape?.() || this.nav.place.filter !== '') {
      this.nav.go({filter: ''}, {replace: true});
    } else if (this.nav.place.page !== 'overview') {
      this.nav.go(this.nav.elsewhere('overview'));
    } else {
      document.activeElement?.blur?.();
    }
  }

  linkTo(path) {
    const {page, id} = parse(path, '');
    return urlOf(this.nav.elsewhere(page, {id}));
  }

  follow(url) {
    const {pathname, search} = new URL(url, window.location.origin);
    this.nav.go(parse(pathname, search));
  }

  clicked(event) {
    const link = event.target instanceof Element ? event.target.closest('a[data-nav]') : null;
    if (link && event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey) {
      event.preventDefault();
      this.follow(link.href);
    }
  }

  async start() {
    this.nav.listen(() => this.placeChanged());
    this.client.onTick(() => this.ticked());
    this.showPlace();
    await this.waitUntilReady();
    this.client.start();
    await Promise.all([this.loadVocabulary(), this.loadCauses(), this.simulation.begin(this.storeLine.status?.simulation ?? false)]);
    this.placeChanged();
  }

  /** A server may listen before it can answer; what it does meanwhile is shown. */
  async waitUntilReady() {
    const waiting = new WaitingPage();
    try {
      let status = await this.client.status();
      while (status.waitsFor) {
        waiting.show(status.waitsFor);
        if (!waiting.node.isConnected) {
          this.main.replaceChildren(waiting.node);
        }
        await new Promise((resolve) => setTimeout(resolve, READY_ASKED_MS));
        status = await this.client.status();
      }
      this.storeLine.take(status);
    } catch (error) {
      this.report(error);
    }
  }

  async loadVocabulary() {
    if (this.context.vocabulary.size > 0) {
      return;
    }
    try {
      (await this.client.vocabulary()).forEach((signal) => this.context.vocabulary.set(signal.name, signal));
    } catch (error) {
      this.report(error);
    }
  }

  /** Without their titles causes are called by their ids. */
  async loadCauses() {
    try {
      (await this.client.causes()).forEach((cause) => this.context.causes.set(cause.id, cause));
    } catch (error) {
      this.report(error);
    }
  }

  async loadServices(signal) {
    this.lastServices = Date.now();
    const [services] = await Promise.all([this.client.services(signal), this.findings.ask()]);
    this.services = withFindings(services, this.findings);
    this.rail.showServices(this.services);
    return this.services;
  }

  showPlace() {
    const {place} = this.nav;
    this.top.showPlace(place);
    this.rail.showPlace(place);
    this.filter.showPlace(place);
    this.demoLine.show();
  }

  placeChanged() {
    const {place} = this.nav;
    this.showPlace();
    const page = `${place.page} ${place.id}`;
    const isNew = page !== this.shownPage;
    if (isNew) {
      this.shownPage = page;
      this.openView(place);
    }
    this.refresh(isNew ? 'data' : 'place');
  }

  openView(place) {
    this.view?.destroy();
    this.filter.node.hidden = place.filter === '';
    const View = VIEWS[place.page];
    this.view = View ? new View(this.context) : null;
    const node = this.view?.node ?? h('div', {class: 'page'}, h('p', {class: 'sentence'}, 'There is no such page.'), h('p', {}, h('a', {href: '/', 'data-nav': true}, 'To the overview')));
    this.main.replaceChildren(node);
    this.context.setTitle(this.view?.title ?? 'Not found');
    window.scrollTo(0, 0);
    this.view?.focus?.();
  }

  /** While there is no page, there is nothing to refresh: the start asks for what the first page needs. */
  ticked() {
    if (this.view === null) {
      return;
    }
    if (this.context.vocabulary.size === 0) {
      this.loadVocabulary().then(() => this.refresh('data'));
    } else if (this.nav.place.to === null || this.view?.failed) {
      const wait = this.lastRefresh + MIN_REFRESH_MS - Date.now();
      if (wait <= 0) {
        this.refresh('tick');
      } else if (!this.tickTimer) {
        this.tickTimer = setTimeout(() => {
          this.tickTimer = null;
          this.refresh('tick');
        }, wait);
      }
    }
  }

  /**
   * @param {'data'|'place'|'tick'} reason a tick waits for what is under way; anything else makes it stale
   */
  async refresh(reason) {
    if (this.view === null || this.context.vocabulary.size === 0 || (reason === 'tick' && (this.refreshing || document.hidden))) {
      return;
    }
    this.refreshing?.abort();
    const abort = new AbortController();
    this.refreshing = abort;
    this.lastRefresh = Date.now();
    const dim = reason === 'tick' ? null : setTimeout(() => this.main.setAttribute('data-loading', ''), DIM_AFTER_MS);
    const {view} = this;
    this.refreshRail();
    try {
      await view.refresh(abort.signal, reason);
      view.failed = false;
      this.trouble.hidden = true;
    } catch (error) {
      view.failed = !isAbort(error);
      this.report(error);
    } finally {
      clearTimeout(dim);
      if (this.refreshing === abort) {
        this.refreshing = null;
        this.main.removeAttribute('data-loading');
      }
    }
  }

  /** Pages that don't ask for the services themselves still have them in the rail and the palette. */
  refreshRail() {
    const asks = ASKING.some((View) => this.view instanceof View);
    if (!asks && Date.now() - this.lastServices > RAIL_REFRESH_MS) {
      this.loadServices().catch((error) => this.report(error));
    }
  }

  /** Says what went wrong. That the server is gone has a line of its own, and given-up requests are no trouble. */
  report(error) {
    if (isAbort(error) || error instanceof Unreachable) {
      return;
    }
    this.trouble.hidden = false;
    setText(this.trouble, error instanceof ApiError ? `The server refused: ${error.message}` : `The page failed: ${error}`);
    if (!(error instanceof ApiError)) {
      console.error(error);
    }
  }
}

new App().start();
