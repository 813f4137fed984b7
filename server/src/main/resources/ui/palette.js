/** The palette (Ctrl K or `:`): go to a service, its diagnosis, a cause, a signal or a page, or run a query, without the mouse. */

import {h, setAttr} from './dom.js';
import {stateShape} from './marks.js';
import {diagnosisPath, servicePath} from './state.js';

const MAX_OFFERS = 12;
const LAYER_WORDS = {request: 'request', engine: 'engine', gpu: 'GPU', host: 'host'};

/**
 * How well a text answers what was typed: every word must occur; a beginning counts more than a middle.
 *
 * @param {string} text
 * @param {string} typed
 * @returns {number} 0 if it doesn't
 */
export function score(text, typed) {
  const low = text.toLowerCase();
  let total = 1;
  for (const word of typed.toLowerCase().split(/\s+/).filter(Boolean)) {
    const at = low.indexOf(word);
    if (at < 0) {
      return 0;
    }
    total += at === 0 || /[^a-z0-9]/.test(low[at - 1]) ? 2 : 1;
  }
  return total;
}

export class Palette {
  /**
   * @param {object} context
   * @param {() => import('./types.js').Service[]} context.services
   * @param {() => import('./types.js').Signal[]} context.signals
   * @param {() => import('./types.js').Cause[]} context.causes
   * @param {(name: string) => void} context.goToSignal
   * @param {(id: string) => void} context.goToCause
   * @param {() => {title: string, hint: string, run: () => void}[]} actions
   */
  constructor(context, actions) {
    this.context = context;
    this.actions = actions;
    this.input = h('input', {type: 'text', placeholder: 'Service, cause, signal, page or PromQL', 'aria-label': 'Go to', role: 'combobox', 'aria-controls': 'palette-offers', 'aria-expanded': 'true', spellcheck: 'false', autocomplete: 'off'});
    this.list = h('ul', {id: 'palette-offers', role: 'listbox'});
    this.node = h('dialog', {class: 'palette', 'aria-label': 'Go to'}, this.input, this.list);
    this.input.addEventListener('input', () => this.offer());
    this.input.addEventListener('keydown', (event) => this.key(event));
    this.node.addEventListener('click', (event) => event.target === this.node && this.node.close());
  }

  open() {
    if (!this.node.open) {
      this.input.value = '';
      this.node.showModal();
      this.offer();
      this.input.focus();
    }
  }

  offer() {
    const typed = this.input.value.trim();
    const {linkTo, follow} = this.context;
    const services = this.context.services().map((service) => ({title: service.name, hint: service.engine.title, state: service.state, text: `${service.name} ${service.id} ${service.engine.title}`, run: () => follow(linkTo(servicePath(service.id)))}));
    const found = [...services, ...this.actions().map((action) => ({...action, text: action.title})), ...(typed === '' ? [] : [...this.diagnosisOffers(), ...this.causeOffers(), ...this.signalOffers()])]
      .map((offer, index) => ({offer, index, score: score(offer.text, typed)}))
      .filter((entry) => entry.score > 0)
      .sort((a, b) => b.score - a.score || a.index - b.index)
      .slice(0, MAX_OFFERS)
      .map((entry) => entry.offer);
    this.offers = typed === '' ? found : [...found, {title: typed, hint: 'Run as PromQL', run: () => this.context.query(typed)}];
    this.chosen = 0;
    this.show();
  }

  diagnosisOffers() {
    const {services, linkTo, follow} = this.context;
    return services()
      .filter(({kind}) => kind === 'engine')
      .map(({id, name, state}) => ({title: `Diagnosis of ${name}`, hint: 'Why', state, text: `diagnosis of ${name} ${id} why`, run: () => follow(linkTo(diagnosisPath(id)))}));
  }

  causeOffers() {
    const {causes, goToCause} = this.context;
    return causes().map(({id, title}) => ({title, hint: 'Cause', text: `${title} ${id}`, run: () => goToCause(id)}));
  }

  /** What some service feeds, and what none does, which is told where it is missing. */
  signalOffers() {
    const {services, signals, goToSignal} = this.context;
    const fed = new Set(services().flatMap((service) => service.signals));
    const missed = new Set(services().flatMap((service) => service.absent.map(({signal}) => signal)));
    return signals()
      .filter(({name}) => fed.has(name) || missed.has(name))
      .map(({name, title, layer}) => ({title, hint: fed.has(name) ? `Signal, ${LAYER_WORDS[layer] ?? layer}` : 'Signal, absent', text: `${title} ${name}`, run: () => goToSignal(name)}));
  }

  show() {
    this.list.replaceChildren(
      ...this.offers.map((offer, i) =>
        h('li', {role: 'option', id: `palette-${i}`, 'aria-selected': String(i === this.chosen), onclick: () => this.take(i)}, offer.state ? stateShape(offer.state) : h('span', {class: 'shape'}), h('span', {class: 'offer-title'}, offer.title), h('span', {class: 'muted'}, offer.hint)),
      ),
    );
    setAttr(this.input, 'aria-activedescendant', `palette-${this.chosen}`);
    this.list.children[this.chosen]?.scrollIntoView({block: 'nearest'});
  }

  key(event) {
    const step = {ArrowDown: 1, ArrowUp: this.offers.length - 1}[event.key];
    if (step !== undefined) {
      event.preventDefault();
      this.chosen = (this.chosen + step) % this.offers.length;
      this.show();
    } else if (event.key === 'Enter') {
      event.preventDefault();
      this.take(this.chosen);
    }
  }

  take(index) {
    this.node.close();
    this.offers[index]?.run();
  }
}
