/** One target: whether it answers, and what a check says of it, with what to do first. */

import {checkReport, reportState} from '../check-report.js';
import {ApiError, isAbort} from '../client.js';
import {h, setAttr, setText} from '../dom.js';
import {age, clock, undirected} from '../format.js';
import {stateMark, updateMark} from '../marks.js';
import {servicePath} from '../state.js';
import {badLines, stateOf} from '../target-table.js';

/** How long a check takes, for the bar that shows how far it is. */
const CHECK_SECONDS = 6;

export class TargetView {
  constructor(context) {
    this.context = context;
    this.id = context.nav.place.id;
    this.title = this.id;
    this.target = null;
    this.checking = null;
    this.build();
  }

  build() {
    this.mark = stateMark('unknown');
    this.name = h('h1', {}, this.id);
    this.about = h('span', {class: 'muted about'});
    this.button = h('button', {type: 'button', class: 'primary check-now', onclick: () => this.check()}, 'Check now');
    this.sentence = h('p', {class: 'sentence', 'aria-live': 'polite'});
    this.bar = h('progress', {max: 100, value: 0, hidden: true, 'aria-label': 'Check'});
    this.progress = h('p', {class: 'muted check-progress', 'aria-live': 'polite'});
    this.facts = h('div', {class: 'target-facts'});
    this.report = h('div', {class: 'report'});
    this.node = h('div', {class: 'page target-page'}, h('div', {class: 'title-line'}, this.mark, this.name, this.about, this.button), this.sentence, h('div', {class: 'line'}, this.bar, this.progress), this.report, h('section', {class: 'part'}, h('h2', {}, 'As it is scraped'), this.facts));
  }

  async refresh(signal, reason) {
    if (reason === 'place' && this.target !== null) {
      return;
    }
    const [targets, services] = await Promise.all([this.context.client.targets(signal), this.context.loadServices(signal)]);
    this.target = targets.find((target) => target.scrapeUrl === this.id || target.labels?.instance === this.id) ?? null;
    this.showTarget(services);
    if (this.target !== null && this.checking === null) {
      this.check();
    }
  }

  showTarget(services) {
    const {target} = this;
    if (target === null) {
      setText(this.sentence, 'No target of this name is scraped now.');
      this.button.disabled = true;
      return;
    }
    const own = target.inferometer ?? {};
    this.context.setTitle(target.labels?.instance ?? this.id);
    setText(this.name, target.scrapeUrl);
    setText(this.about, own.title ?? '');
    if (this.shownReport === undefined) {
      updateMark(this.mark, stateOf(target));
      setText(this.sentence, undirected(own.sentence || target.lastError || ''));
    }
    const time = Date.parse(target.lastScrape) / 1000;
    const mine = services.filter(({replicas}) => replicas.some(({instance, job}) => instance === target.labels?.instance && job === target.labels?.job));
    const key = JSON.stringify([target.lastError, own, target.labels, mine.map(({id}) => id), target.health]);
    if (key !== this.shown) {
      this.shown = key;
      this.lastScrape = h('span');
      this.facts.replaceChildren(
        ...[
          own.sentence && h('p', {}, own.sentence),
          target.lastError && h('p', {}, h('b', {}, 'Last error: '), target.lastError),
          mine.length > 0 && h('p', {}, 'Part of ', mine.flatMap((service, i) => [i > 0 ? ', ' : '', h('a', {href: this.context.linkTo(servicePath(service.id)), 'data-nav': true}, service.name)])),
          h('p', {class: 'labels'}, Object.entries(target.labels ?? {}).map(([name, value]) => h('span', {class: 'label'}, `${name}="${value}"`))),
          h('p', {class: 'muted'}, this.lastScrape, ` Scraped every ${target.scrapeInterval ?? '?'}, given up after ${target.scrapeTimeout ?? '?'}.`),
          ...badLines(own),
        ].filter(Boolean),
      );
    }
    setText(this.lastScrape, `Last scrape ${age(time > 0 ? this.context.client.now() - time : null)}.`);
  }

  /** Asks for a check and shows how far it is; the page stays as it is meanwhile. */
  async check() {
    this.checking?.abort();
    const abort = new AbortController();
    this.checking = abort;
    this.button.disabled = true;
    this.showProgress(Date.now());
    const timer = setInterval(() => this.showProgress(this.began), 250);
    this.began = Date.now();
    try {
      const report = await this.context.client.check(this.target.scrapeUrl, abort.signal);
      this.showReport(report);
    } catch (error) {
      this.showFailure(error);
    } finally {
      clearInterval(timer);
      this.bar.hidden = true;
      this.button.disabled = false;
    }
  }

  showProgress(began) {
    const seconds = (Date.now() - began) / 1000;
    this.bar.hidden = false;
    setAttr(this.bar, 'value', Math.min(96, (seconds / CHECK_SECONDS) * 100).toFixed(0));
    setText(this.progress, 'Five scrapes are taken over some seconds, to see what moves ...');
  }

  showReport(report) {
    if (report === null) {
      setText(this.progress, 'This server can’t check targets.');
      this.button.hidden = true;
      return;
    }
    this.shownReport = report;
    setText(this.progress, `Checked at ${clock(Date.now() / 1000)}.`);
    updateMark(this.mark, reportState(report));
    setText(this.sentence, undirected(report.verdict));
    this.report.replaceChildren(...checkReport(report, this.context));
  }

  showFailure(error) {
    if (isAbort(error)) {
      return;
    }
    setText(this.progress, error instanceof ApiError ? `The check failed: ${error.message}` : 'The check got no answer.');
    if (error instanceof TypeError || error instanceof ReferenceError) {
      this.context.report(error);
    }
  }

  destroy() {
    this.checking?.abort();
  }
}
