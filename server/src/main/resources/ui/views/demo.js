/** Demo: what can be done to the simulated fleet, what is done to it, and what happened. */

import {h, reconcile, setAttr, setText} from '../dom.js';
import {clock, duration, moment, undirected} from '../format.js';
import {STATES, known, stateShape} from '../marks.js';
import {LAYER_WORDS, active, simulationSentence} from '../simulation.js';
import {servicePath} from '../state.js';

/** Where faults show first, from the user down to the hardware. */
const LAYERS = [
  ['client', 'Seen first by clients'],
  ['gateway', 'Seen first at the gateway'],
  ['request', 'Seen first in the request layer'],
  ['engine', 'Seen first in the engine layer'],
  ['gpu', 'Seen first in the GPU layer'],
  ['host', 'Seen first on the host'],
  ['telemetry', 'Seen first in the scrapes themselves'],
  ['none', 'Seen nowhere'],
];
const KIND_WORDS = {fault: 'Done here', event: 'Scenario', restart: 'Restart'};
const MAX_HAPPENED = 200;
/** The services that a fault shows on. */
const WATCHED = ['engine', 'router'];

export class DemoView {
  constructor(context) {
    this.context = context;
    this.title = 'Demo';
    this.busy = new Set();
    this.build();
    this.destroy = context.simulation.onChange(() => this.show());
  }

  build() {
    this.sentence = h('p', {class: 'sentence', role: 'status', 'aria-live': 'polite'});
    this.about = h('p', {class: 'muted about-demo'});
    this.watch = h('p', {class: 'related'});
    this.undoAll = h('button', {type: 'button', class: 'undo-all', hidden: true, onclick: () => this.undo(null)}, 'Undo all');
    this.faults = h('div', {class: 'fault-layers'});
    this.happened = h('tbody');
    this.nothing = h('p', {class: 'muted'}, 'Nothing yet.');
    const heads = ['When', 'For', 'What', 'Where', 'Seen first in', ''];
    this.table = h('table', {class: 'rows events happened'}, h('thead', {}, h('tr', {}, heads.map((text, i) => h('th', {scope: 'col', class: `e${i}`}, text)))), this.happened);
    this.content = h('div', {hidden: true}, this.about, this.watch, h('section', {class: 'part'}, h('div', {class: 'line'}, h('h2', {}, 'Do something to it'), this.undoAll), this.faults), h('section', {class: 'part'}, h('h2', {}, 'What happened'), this.nothing, h('div', {class: 'scroll'}, this.table)));
    this.node = h('div', {class: 'page demo'}, this.sentence, this.content);
  }

  async refresh(signal) {
    const [services] = await Promise.all([this.context.loadServices(signal), this.context.simulation.ask()]);
    this.showWatched(services.filter(({kind}) => WATCHED.includes(kind)));
    this.show();
  }

  showWatched(services) {
    const key = JSON.stringify(services.map(({id, state}) => [id, state, this.context.linkTo(servicePath(id))]));
    if (this.watched === key) {
      return;
    }
    this.watched = key;
    const link = (service) => h('a', {href: this.context.linkTo(servicePath(service.id)), 'data-nav': true}, stateShape(service.state), ` ${service.name} ${service.engine.title}`, h('span', {class: 'visually-hidden'}, `: ${STATES[known(service.state)].word}`));
    this.watch.replaceChildren(h('span', {class: 'muted'}, 'Watch it on'), ...services.map(link), h('a', {href: this.context.linkTo('/gpus'), 'data-nav': true}, 'GPUs'));
  }

  show() {
    const {view, isThere} = this.context.simulation;
    this.content.hidden = view === null;
    if (view === null) {
      setText(this.sentence, isThere ? 'The fleet hasn’t told of itself yet.' : 'What is watched here is real: there is nothing to play with. A simulated fleet comes with: inferometer demo');
      return;
    }
    setText(this.sentence, simulationSentence(view, this.context.client.now()));
    setText(this.about, undirected(`${view.title} A simulation since ${moment(view.since)}, seed ${view.seed}: nothing here is real, and what is done is undone with a click.`));
    this.undoAll.hidden = active(view).length < 2;
    this.showFaults(view.faults);
    this.showHappened(view.happened.slice(0, MAX_HAPPENED));
  }

  showFaults(faults) {
    const create = (fault) => {
      const button = h('button', {type: 'button', onclick: () => this.toggle(fault.id)});
      return h('li', {class: 'fault', 'data-fault': fault.id}, h('div', {class: 'fault-head'}, h('h4', {}, fault.title), button), h('p', {}, fault.says), h('p', {class: 'muted fault-foot'}));
    };
    const layers = LAYERS.map(([id, title]) => ({title, faults: faults.filter(({layer}) => layer === id)})).filter((layer) => layer.faults.length > 0);
    reconcile(
      this.faults,
      layers,
      ({title}) => title,
      ({title}) => h('div', {}, h('h3', {}, title), h('ul', {class: 'faults'})),
      (node, layer) => reconcile(node.lastElementChild, layer.faults, (fault) => fault.id, create, (one, fault) => this.updateFault(one, fault)),
    );
  }

  updateFault(node, fault) {
    const isDone = fault.since !== null;
    const button = node.querySelector('button');
    setAttr(node, 'data-active', isDone);
    setAttr(node, 'data-layer', fault.layer);
    setText(button, isDone ? 'Undo' : 'Do it');
    setAttr(button, 'aria-label', `${isDone ? 'Undo' : 'Do it'}: ${fault.title}`);
    setAttr(button, 'class', isDone ? 'primary' : null);
    button.disabled = this.busy.has(fault.id);
    const end = fault.lasts > 0 ? (isDone ? `ends at ${clock(fault.since + fault.lasts)}` : `ends after ${duration(fault.lasts)}`) : null;
    setText(node.querySelector('.fault-foot'), [fault.on === null ? 'on all' : `on ${fault.on}`, isDone && `since ${clock(fault.since)}`, end].filter(Boolean).join(' · '));
  }

  showHappened(happened) {
    this.nothing.hidden = happened.length > 0;
    this.table.hidden = happened.length === 0;
    const create = (one) => h('tr', {}, h('td', {class: 'e0'}, moment(one.start)), h('td', {class: 'e1'}), h('td', {class: 'e2', title: one.says}, one.title), h('td', {class: 'e3'}, one.on ?? 'all'), h('td', {class: 'e4'}, LAYER_WORDS[one.layer] ?? ''), h('td', {class: 'e5 muted'}, KIND_WORDS[one.kind] ?? one.kind));
    reconcile(
      this.happened,
      happened,
      (one) => `${one.kind} ${one.title} ${one.on} ${one.start}`,
      create,
      (row, {start, end}) => setText(row.children[1], end === null ? 'goes on' : end > start ? duration(end - start) : ''),
    );
  }

  async toggle(id) {
    const fault = this.context.simulation.view?.faults.find((one) => one.id === id);
    if (fault) {
      await this.change(id, () => (fault.since === null ? this.context.simulation.inject(id) : this.context.simulation.undo(id)));
    }
  }

  undo(id) {
    return this.change(id, () => this.context.simulation.undo(id));
  }

  async change(id, act) {
    this.busy.add(id);
    this.show();
    await act();
    this.busy.delete(id);
    this.show();
  }
}
