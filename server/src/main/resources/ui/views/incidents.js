/** Incidents: when users suffered, what was found, and who moved first. */

import {h, reconcile, setAttr, setText} from '../dom.js';
import {clock, duration, moment, undirected} from '../format.js';
import {IncidentLanes, middle} from '../incident-lanes.js';
import {stateMark, updateMark} from '../marks.js';
import {format as placeUrl} from '../state.js';

/** Shorter ranges than this would hide what happened an hour ago. */
const LEAST_PAST = 86_400;
const MAX_SHOWN = 100;
/** From when something moves until a diagnosis can see it. */
const SEEN_AFTER = 120;

export class IncidentsView {
  constructor(context) {
    this.context = context;
    this.title = 'Incidents';
    this.services = [];
    /** @type {import('../types.js').Incident[]|null} */
    this.incidents = null;
    /** @type {Map<string, IncidentLanes>} */
    this.lanes = new Map();
    /** What the reader opened or closed himself. @type {Map<string, boolean>} */
    this.chosen = new Map();
    this.sentence = h('p', {class: 'sentence', 'aria-live': 'polite'});
    this.list = h('ol', {class: 'incidents'});
    this.more = h('p', {class: 'muted', hidden: true});
    this.node = h('div', {class: 'page incidents-page'}, this.sentence, context.filter.node, this.list, this.more);
  }

  async refresh(signal, reason) {
    if (reason !== 'place' || this.incidents === null) {
      const [services, incidents] = await Promise.all([this.context.loadServices(signal), this.context.client.incidents(this.past(), signal)]);
      this.services = services;
      this.incidents = incidents;
    }
    this.show();
  }

  /** The stretch of time that is listed. */
  past() {
    const {place} = this.context.nav;
    const end = Math.ceil(place.to ?? this.context.client.now());
    return {start: end - Math.max(place.span, LEAST_PAST), end};
  }

  show() {
    if (this.incidents === null) {
      setText(this.sentence, 'This server doesn’t diagnose, so it knows of no incidents.');
      return;
    }
    const all = [...this.incidents].sort((a, b) => Number(a.end !== null) - Number(b.end !== null) || b.start - a.start);
    const needle = this.context.nav.place.filter.toLowerCase();
    const found = all.filter((one) => `${this.nameOf(one)} ${titles(one)}`.toLowerCase().includes(needle));
    const shown = found.slice(0, MAX_SHOWN);
    setText(this.sentence, this.words(all));
    this.more.hidden = shown.length === found.length;
    setText(this.more, `${found.length - shown.length} before.`);
    reconcile(this.list, shown, keyOf, (incident) => this.item(incident), (node, incident) => this.update(node, incident, keyOf(incident) === keyOf(shown[0])));
  }

  words(all) {
    const {start, end} = this.past();
    const past = `the last ${duration(end - start)}`;
    const going = all.filter((one) => one.end === null);
    const ended = all.length - going.length;
    const before = ended === 0 ? '' : ` ${ended} ended in ${past}.`;
    if (all.length === 0) {
      return `No incident in ${past}.`;
    }
    const names = going.slice(0, 2).map((one) => `${this.nameOf(one)} since ${clock(one.start)}: ${titles(one) || 'the cause can’t be told'}`);
    const more = going.length > 2 ? ` and ${going.length - 2} more` : '';
    return undirected(going.length === 0 ? `Nothing goes on.${before}` : `${names.join('; ')}${more}.${before}`);
  }

  nameOf({service}) {
    return this.services.find(({id}) => id === service)?.name ?? service;
  }

  item() {
    const mark = stateMark('unknown');
    const button = h('button', {type: 'button', class: 'disclose', 'aria-expanded': 'false'});
    const node = h('li', {class: 'incident', tabindex: -1, 'data-row': true}, h('header', {}, mark, h('h2', {}, button), h('span', {class: 'incident-when muted'}), h('a', {'data-nav': true}, 'Diagnosis')), h('p', {class: 'incident-says'}), h('div', {hidden: true}));
    button.addEventListener('click', () => this.toggle(node.dataset.key));
    node.addEventListener('enter', () => button.click());
    return node;
  }

  update(node, incident, isNewest) {
    const key = keyOf(incident);
    const [header, says, body] = node.children;
    const [mark, title, when, link] = header.children;
    const name = undirected(this.nameOf(incident));
    updateMark(mark, incident.end === null ? 'degraded' : 'idle', incident.end === null ? 'Goes on' : 'Ended');
    setText(title.firstElementChild, `${name}: ${titles(incident) || 'the cause can’t be told'}`);
    const now = this.context.client.now();
    setText(when, incident.end === null ? `since ${moment(incident.start)}, ${duration(now - incident.start)}` : `${moment(incident.start)} to ${clock(incident.end)}, ${duration(incident.end - incident.start)}`);
    setAttr(link, 'href', placeUrl(this.placeAt(incident, incident.end === null ? null : middle(incident))));
    setAttr(link, 'aria-label', `Diagnosis of ${name}`);
    setText(says, undirected(root(incident)?.says ?? ''));
    const isOpen = this.isOpen(key, isNewest);
    setAttr(title.firstElementChild, 'aria-expanded', String(isOpen));
    body.hidden = !isOpen;
    if (isOpen) {
      this.lanesOf(key, incident, body).show(incident, now);
    }
  }

  /** The newest is open unless the reader chose otherwise. */
  isOpen(key, isNewest) {
    return this.chosen.get(key) ?? (this.context.nav.place.open.includes(key) || (isNewest && this.context.nav.place.open.length === 0));
  }

  lanesOf(key, incident, body) {
    if (!this.lanes.has(key)) {
      const lanes = new IncidentLanes(this.context.vocabulary, (time) => this.context.nav.go(this.placeAt(incident, time)));
      this.lanes.set(key, lanes);
      body.replaceChildren(lanes.node);
    }
    return this.lanes.get(key);
  }

  /** The diagnosis of a moment of an incident, soon enough after it that something can be seen; null for now. */
  placeAt(incident, time) {
    const now = this.context.client.now();
    const seen = time === null ? null : time + SEEN_AFTER;
    return this.context.nav.elsewhere('diagnosis', {id: incident.service, to: seen === null || seen >= now ? null : Math.ceil(seen)});
  }

  toggle(key) {
    const node = [...this.list.children].find((one) => one.dataset.key === key);
    const isOpen = node.lastElementChild.hidden;
    this.chosen.set(key, isOpen);
    this.context.nav.toggleOpen(key, isOpen);
    this.show();
  }

  destroy() {
    this.lanes.clear();
  }
}

function keyOf({service, start}) {
  return `${service}@${start}`.replaceAll(/[,\s]/g, '_');
}

function root({findings}) {
  return findings.find((one) => one.root) ?? findings[0] ?? null;
}

/** The causes that an incident had, roots only. */
function titles({findings}) {
  const roots = findings.filter((one) => one.root);
  return [...new Set((roots.length > 0 ? roots : findings).map(({title}) => title))].join(', ');
}
