/** The rest of a diagnosis: layers side by side, what changed, what it isn't, and what the telemetry can't say. */

import {withCode} from './action-list.js';
import {h, reconcile, setAttr, setText} from './dom.js';
import {clock, format, moment, percent, undirected} from './format.js';
import {targetPath} from './state.js';
import {byLayer, layerWord, signalTitle} from './verdicts.js';

const CHANGE_WORDS = {workload: 'Workload', config: 'Setting', version: 'Version', replicas: 'Replicas', restart: 'Restart', gone: 'Gone', came: 'Came'};

function table(className, heads) {
  const body = h('tbody');
  return {body, node: h('div', {class: 'scroll'}, h('table', {class: `rows ${className}`}, h('thead', {}, h('tr', {}, heads.map((text, i) => h('th', {scope: 'col', class: `v${i}`}, text)))), body))};
}

function section(title, ...children) {
  return h('section', {class: 'part'}, h('h2', {}, title), children);
}

/** The same requests as each layer sees them, from the client to the host. */
export class LayerTable {
  constructor(vocabulary) {
    this.vocabulary = vocabulary;
    const {body, node} = table('layers', ['Layer', 'What', 'Now', 'Before', 'What it means']);
    this.body = body;
    this.node = section('Layer by layer', node);
  }

  /** @param {import('./types.js').Diagnosis} diagnosis */
  show({layers}) {
    this.node.hidden = layers.length === 0;
    const make = () => h('tr', {}, h('td', {class: 'v0'}, h('span', {class: 'layer-word'})), h('td', {class: 'v1'}, h('span'), h('span', {class: 'of muted'})), h('td', {class: 'v2'}), h('td', {class: 'v3', 'data-head': 'before'}), h('td', {class: 'v5'}));
    reconcile(this.body, byLayer(layers), ({layer, signal, of}) => `${layer} ${signal} ${of}`, make, (row, line) => {
      const [layer, what, now, before, says] = row.children;
      setAttr(row, 'data-layer', line.layer);
      setText(layer.firstElementChild, layerWord(line.layer));
      setText(what.firstElementChild, signalTitle(line.signal, this.vocabulary));
      setText(what.lastElementChild, undirected(line.of ?? ''));
      setText(now, format(line.value, line.unit));
      setText(before, line.baseline === null ? '' : format(line.baseline, line.unit));
      setText(says, undirected(line.says));
    });
  }
}

/** What differs between now and before, and what happened on the way. */
export class ChangeTable {
  constructor(context) {
    this.context = context;
    const {body, node} = table('changes', ['When', 'Kind', 'What', 'Where', 'Can carry']);
    this.body = body;
    this.scroll = node;
    this.none = h('p', {class: 'muted'}, 'Nothing that was seen: neither settings nor versions, restarts or the workload.');
    this.node = section('What changed', this.none, node);
  }

  /** @param {import('./types.js').Diagnosis} diagnosis */
  show({changes, happenings}) {
    const said = new Set(changes.map(({says}) => says));
    const events = happenings.filter(({says}) => !said.has(says)).map(({time, kind, instance, says}) => ({time, kind, of: instance, says, share: null}));
    const all = [...changes, ...events];
    this.none.hidden = all.length > 0;
    this.scroll.hidden = all.length === 0;
    const make = () => h('tr', {}, h('td', {class: 'v0'}), h('td', {class: 'v1'}), h('td', {class: 'v5'}), h('td', {class: 'v3'}), h('td', {class: 'v4', 'data-head': 'can carry'}));
    reconcile(this.body, all, ({kind, of, says, time}) => `${kind} ${of} ${says} ${time}`, make, (row, change) => {
      const [when, kind, says, where, share] = row.children;
      setText(when, change.time === null ? '' : clock(change.time));
      setAttr(when, 'title', change.time === null ? null : moment(change.time));
      setText(kind, CHANGE_WORDS[change.kind] ?? change.kind);
      setText(says, undirected(change.says));
      setText(where, undirected(change.of ?? ''));
      setText(share, change.share === null ? '' : `${percent(Number(change.share.toFixed(2)))} %`);
      setAttr(share, 'title', change.share === null ? null : 'How much of the change in latency it can carry, at most');
    });
  }
}

/** What it isn't and why, folded; and what can't be told, which isn't. */
export class RuledOutList {
  /** @param {(cause: string) => string} titleOf */
  constructor(titleOf) {
    this.titleOf = titleOf;
    this.search = h('input', {type: 'search', placeholder: 'Search causes', 'aria-label': 'Search what it isn’t', spellcheck: 'false', oninput: () => this.showList()});
    this.list = h('ul', {class: 'causes'});
    this.nothing = h('p', {class: 'muted', hidden: true}, 'No such cause was looked at.');
    this.summary = h('summary');
    this.details = h('details', {class: 'ruled-out'}, this.summary, this.search, this.list, this.nothing);
    this.unknownList = h('ul', {class: 'causes unknown'});
    this.unknown = h('div', {}, h('h3', {}, 'What can’t be told, and why'), this.unknownList);
    this.node = section('What it isn’t', this.unknown, this.details);
  }

  /** @param {import('./types.js').Diagnosis} diagnosis */
  show({ruledOut}) {
    this.out = ruledOut.filter(({unknown}) => !unknown);
    const open = ruledOut.filter(({unknown}) => unknown);
    this.node.hidden = ruledOut.length === 0;
    this.details.hidden = this.out.length === 0;
    this.unknown.hidden = open.length === 0;
    setText(this.summary, `${this.out.length} ${this.out.length === 1 ? 'cause was' : 'causes were'} ruled out`);
    this.fill(this.unknownList, open);
    this.showList();
  }

  /** Opens it, for whoever was sent here for one cause. */
  find(words) {
    this.details.open = true;
    this.search.value = words;
    this.showList();
  }

  showList() {
    const needle = this.search.value.trim().toLowerCase();
    const shown = this.out.filter(({cause, because}) => `${cause} ${this.titleOf(cause)} ${because}`.toLowerCase().includes(needle));
    this.nothing.hidden = shown.length > 0;
    this.fill(this.list, shown);
  }

  fill(list, causes) {
    reconcile(
      list,
      causes,
      ({cause, because}) => `${cause} ${because}`,
      ({cause, because}) => h('li', {'data-cause': cause}, h('span', {class: 'cause-name'}, this.titleOf(cause)), h('span', {class: 'because'}, undirected(because))),
    );
  }
}

/** What can't be trusted or isn't measured. */
export class TelemetryList {
  constructor(context) {
    this.context = context;
    this.list = h('ul', {class: 'causes'});
    this.none = h('p', {class: 'muted'}, 'Nothing wrong was seen with what the targets tell.');
    this.node = section('What the telemetry can’t say', this.none, this.list);
  }

  /** @param {import('./types.js').Diagnosis} diagnosis */
  show({telemetry}) {
    this.none.hidden = telemetry.length > 0;
    const {linkTo} = this.context;
    reconcile(
      this.list,
      [...telemetry].sort((a, b) => Number(b.fault) - Number(a.fault)),
      ({problem, target, says}) => `${problem} ${target} ${says}`,
      ({target, says, fault}) => h('li', {'data-fault': fault}, h('span', {class: 'cause-name'}, fault ? 'Broken' : 'Not there', target.includes('/') || target === '' ? null : [' · ', h('a', {href: linkTo(targetPath(target)), 'data-nav': true}, target)]), h('span', {class: 'because'}, withCode(says))),
    );
  }
}
