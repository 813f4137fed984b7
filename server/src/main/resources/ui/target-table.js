/** The table of targets: what is scraped, whether it answers, what it was recognised as, and which lines it got wrong. */

import {h, reconcile, setAttr, setText} from './dom.js';
import {age, format as formatValue} from './format.js';
import {stateMark, updateMark} from './marks.js';
import {targetPath} from './state.js';

const RANKS = {down: 0, unknown: 1, degraded: 1, ok: 3};

/** @returns {import('./types.js').State} */
export function stateOf(target) {
  if (target.health === 'up') {
    return (target.inferometer?.badLines ?? 0) > 0 || target.lastError ? 'degraded' : 'ok';
  }
  return target.health === 'down' ? 'down' : 'unknown';
}

function badLineText(count) {
  return count === 1 ? '1 bad line' : `${count} bad lines`;
}

/** The table of targets, on its own page and at the foot of the overview. */
export class TargetTable {
  /**
   * @param {() => number} now the server's time
   * @param {{nav: import('./state.js').Navigator, linkTo: (path: string) => string}} context
   */
  constructor(now, {nav, linkTo}) {
    this.now = now;
    this.nav = nav;
    this.linkTo = linkTo;
    this.body = h('tbody');
    const heads = ['State', 'Target', 'Recognised as', 'What it says', 'Last scrape', 'Took', 'Bad lines'];
    this.node = h('table', {class: 'rows targets'}, h('thead', {}, h('tr', {}, heads.map((text, i) => h('th', {scope: 'col', class: `c${i}`}, text)))), this.body);
  }

  /** @param {any[]} targets @param {string} [filter] */
  show(targets, filter = '') {
    const needle = filter.toLowerCase();
    const rows = targets
      .filter((target) => `${target.scrapeUrl} ${target.labels?.job} ${target.inferometer?.title}`.toLowerCase().includes(needle))
      .sort((a, b) => RANKS[stateOf(a)] - RANKS[stateOf(b)] || compare(a.scrapeUrl, b.scrapeUrl));
    const key = (target) => `${target.scrapePool} ${target.scrapeUrl}`;
    reconcile(this.body, rows.flatMap((target) => this.rowsOf(target, key(target))), (row) => row.key, (row) => row.create(), (node, row) => row.update(node));
  }

  rowsOf(target, key) {
    const open = this.nav.place.open.includes(`target:${key}`);
    const summary = {key, create: () => this.row(key), update: (node) => this.update(node, target, open)};
    const details = {key: `${key} details`, create: () => h('tr', {class: 'details-row'}, h('td', {colspan: 7})), update: (node) => this.updateDetails(node, target)};
    return open ? [summary, details] : [summary];
  }

  row(key) {
    const expand = h('button', {type: 'button', class: 'disclose', 'aria-expanded': 'false'});
    const cells = [stateMark('unknown'), expand, h('span'), h('span', {class: 'says'}), h('span'), h('span'), h('span')];
    const row = h('tr', {tabindex: -1, 'data-row': true}, cells.map((cell, i) => h('td', {class: `c${i}`}, cell)));
    expand.addEventListener('click', () => {
      const isOpen = expand.getAttribute('aria-expanded') !== 'true';
      this.nav.toggleOpen(`target:${key}`, isOpen);
      this.nav.tell();
    });
    row.addEventListener('enter', () => expand.click());
    return row;
  }

  update(row, target, open) {
    const [state, url, kind, says, last, took, bad] = [...row.children].map((cell) => cell.firstElementChild);
    const own = target.inferometer ?? {};
    updateMark(state, stateOf(target));
    setText(url, target.scrapeUrl);
    setAttr(url, 'aria-expanded', String(open));
    setText(kind, own.title ?? '–');
    setText(says, own.sentence || target.lastError || '');
    setAttr(says, 'title', says.textContent);
    const time = Date.parse(target.lastScrape) / 1000;
    setText(last, age(time > 0 ? this.now() - time : null));
    setText(took, target.lastScrapeDuration > 0 ? formatValue(target.lastScrapeDuration, 'seconds') : '–');
    setText(bad, own.badLines > 0 ? badLineText(own.badLines) : '0');
  }

  updateDetails(row, target) {
    const own = target.inferometer ?? {};
    const key = JSON.stringify([target.lastError, own.badLineExamples, target.labels]);
    if (row.dataset.shown === key) {
      return;
    }
    row.dataset.shown = key;
    const labels = Object.entries(target.labels ?? {}).map(([name, value]) => h('span', {class: 'label'}, `${name}="${value}"`));
    row.firstElementChild.replaceChildren(
      ...(target.lastError ? [h('p', {}, h('b', {}, 'Last error: '), target.lastError)] : []),
      h('p', {class: 'labels'}, labels),
      h('p', {}, h('a', {href: this.linkTo(targetPath(target.scrapeUrl)), 'data-nav': true}, 'What it can tell, and what is to be done')),
      h('p', {class: 'muted'}, `Scraped every ${target.scrapeInterval ?? '?'}, given up after ${target.scrapeTimeout ?? '?'}.`),
      ...badLines(own),
    );
  }
}

export function badLines(own) {
  if (!(own.badLines > 0)) {
    return [];
  }
  const examples = own.badLineExamples ?? [];
  const rows = examples.map((bad) => h('tr', {}, h('td', {class: 'number'}, `${bad.line}:${bad.column}`), h('td', {}, bad.reason), h('td', {}, h('code', {}, bad.text))));
  const head = h('tr', {}, ['Line', 'Reason', 'Text'].map((text) => h('th', {scope: 'col'}, text)));
  const title = own.badLines > examples.length ? `${badLineText(own.badLines)}, of which the first ${examples.length}:` : `${badLineText(own.badLines)}:`;
  return [h('p', {}, title), h('div', {class: 'scroll'}, h('table', {class: 'plain'}, h('thead', {}, head), h('tbody', {}, rows)))];
}

function compare(a, b) {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** What is to be said about all targets together. */
export function targetsSentence(targets) {
  const bad = targets.filter((target) => stateOf(target) === 'down');
  const dirty = targets.filter((target) => stateOf(target) === 'degraded');
  if (targets.length === 0) {
    return 'Nothing is scraped yet.';
  }
  if (bad.length === 0 && dirty.length === 0) {
    return targets.length === 1 ? 'The only target answers.' : `All ${targets.length} targets answer.`;
  }
  const parts = [];
  if (bad.length > 0) {
    parts.push(bad.length === 1 ? `${bad[0].scrapeUrl} doesn't answer` : `${bad.length} of ${targets.length} targets don't answer`);
  }
  if (dirty.length > 0) {
    parts.push(dirty.length === 1 ? `${dirty[0].scrapeUrl} exposes lines that can't be read` : `${dirty.length} targets expose lines that can't be read`);
  }
  return `${parts.join('; ')}.`;
}
