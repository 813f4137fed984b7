/** A row of the page of GPUs, and what opens below it. */

import {asSentence} from './absence.js';
import {h, setAttr, setText} from './dom.js';
import {moment, quantity} from './format.js';
import {gpuMark, gpuName, isOf} from './gpu-judging.js';
import {GPU_PANELS, UTILISATIONS} from './layout.js';
import {bar, stateMark, updateBar, updateMark} from './marks.js';
import {Panel} from './panel.js';
import {servicePath} from './state.js';

export const GPU_HEADS = ['State', 'GPU', 'What it does', 'Utilisations', 'Clocks', 'Power', 'Temperature', 'Memory'];

export function gpuRow(toggle) {
  const name = h('button', {type: 'button', class: 'disclose', 'aria-expanded': 'false', onclick: toggle});
  const bars = h(
    'span',
    {class: 'five'},
    UTILISATIONS.map(([signal, word]) => h('span', {class: 'util', 'data-signal': signal}, h('span', {class: 'util-word'}, word), bar(), h('span', {class: 'number'}))),
  );
  const cells = [stateMark('unknown'), h('span', {}, name, h('span', {class: 'engine muted'})), h('span', {}, h('span', {class: 'does'}), h('span', {class: 'reasons'})), bars, h('span', {class: 'clocks'}, h('span'), h('span', {class: 'muted'})), h('span', {class: 'power'}, bar(), h('span', {class: 'number'})), h('span'), h('span', {class: 'memory'}, bar(), h('span', {class: 'number'}))];
  const node = h('tr', {tabindex: -1, 'data-row': true}, cells.map((cell, i) => h('td', {class: `c${i}`}, cell)));
  node.addEventListener('enter', () => name.click());
  return node;
}

/** @param {Map<string, import('./types.js').Signal>} vocabulary */
export function updateGpuRow(row, gpu, isOpen, vocabulary) {
  const [mark, name, does, bars, clocks, power, temperature, memory] = [...row.children].map((cell) => cell.firstElementChild);
  const state = gpuMark(gpu);
  updateMark(mark, state);
  setText(name.firstElementChild, [gpu.host ?? gpu.service, gpuName(gpu)].join(' '));
  setAttr(name.firstElementChild, 'aria-expanded', String(isOpen));
  setText(name.lastElementChild, [gpu.model, gpu.profile, gpu.pod].filter(Boolean).join(' · '));
  setAttr(name.lastElementChild, 'title', name.lastElementChild.textContent);
  setText(does.firstElementChild, gpu.state.name);
  setAttr(does.firstElementChild, 'title', gpu.state.says);
  updateReasons(does.lastElementChild, gpu);
  UTILISATIONS.forEach(([signal, word], i) => updateUtilisation(bars.children[i], gpu.utilisation[signal] ?? null, word, vocabulary.get(signal)));
  setText(clocks.children[0], text(gpu.sm_clock, 'hertz'));
  setText(clocks.children[1], Number.isFinite(gpu.memory_clock) ? `mem ${text(gpu.memory_clock, 'hertz')}` : '');
  setAttr(clocks, 'title', 'SM clock, memory clock');
  updateShare(power, gpu.power, gpu.power_limit, 'watts');
  setText(temperature, gpu.memory_temperature === null || gpu.memory_temperature === undefined ? text(gpu.temperature, 'celsius') : `${quantity(gpu.temperature, 'celsius').text} / ${text(gpu.memory_temperature, 'celsius')}`);
  setAttr(temperature, 'title', 'Core / memory');
  updateShare(memory, gpu.memory_used, gpu.memory_total, 'bytes');
}

function updateUtilisation(node, value, word, signal) {
  updateBar(node.children[1], value ?? NaN);
  setText(node.children[2], wholePercent(value));
  setAttr(node, 'title', [`${signal?.title ?? word}: ${value === null ? 'not exposed' : text(value, 'ratio')}`, signal?.caveat].filter(Boolean).join('\n'));
}

/** Whole percent; what is nearly nothing or nearly all is neither. */
function wholePercent(value) {
  if (value === null) {
    return '–';
  }
  const percent = Math.round(value * 100);
  return percent === 0 && value > 0 ? '<1' : percent === 100 && value < 1 ? '>99' : String(percent);
}

function updateShare(node, value, limit, unit) {
  const known = Number.isFinite(value) && Number.isFinite(limit) && limit > 0;
  updateBar(node.firstElementChild, known ? value / limit : NaN);
  node.firstElementChild.hidden = !known;
  setText(node.lastElementChild, known ? `${shared(value, limit, unit)}` : text(value, unit));
}

/** `312 / 350 W` */
function shared(value, limit, unit) {
  const [low, high] = [quantity(value, unit), quantity(limit, unit)];
  return low.unit === high.unit || low.text === '0' ? `${low.text} / ${high.text} ${high.unit}` : `${low.text} ${low.unit} / ${high.text} ${high.unit}`;
}

function updateReasons(node, gpu) {
  const words = [
    ...(gpu.xid ? [{name: `XID ${gpu.xid.code}`, says: gpu.xid.says, matters: !['note', 'application'].includes(gpu.xid.severity)}] : []),
    ...(gpu.ecc_uncorrected > 0 ? [{name: `${gpu.ecc_uncorrected} ECC errors`, says: 'Memory errors that could not be corrected since the driver was loaded.', matters: true}] : []),
    ...gpu.reasons,
  ].sort((a, b) => Number(b.matters) - Number(a.matters));
  const key = JSON.stringify(words);
  if (node.dataset.shown !== key) {
    node.dataset.shown = key;
    node.replaceChildren(...words.map(({name, says, matters}) => h('span', {class: 'reason-word', 'data-matters': matters, title: says}, matters ? '▲ ' : '', name)));
  }
}

function text(value, unit) {
  const {text: number, unit: suffix} = quantity(value, unit);
  return `${number} ${suffix}`.trim();
}

/** What opens below a row: the verdict in sentences, and the GPU's curves. */
export class GpuDetails {
  constructor(context, group, colours) {
    this.context = context;
    this.group = group;
    this.colours = colours;
    this.panels = [];
    this.words = h('div', {class: 'gpu-words'});
    this.curves = h('div', {class: 'panels'});
    this.node = h('tr', {class: 'details-row'}, h('td', {colspan: GPU_HEADS.length}, this.words, this.curves));
  }

  /** @param {import('./types.js').Service|undefined} service of the exporter */
  show(gpu, service) {
    this.gpu = gpu;
    this.showWords(gpu);
    const shape = JSON.stringify([gpu.service, service?.signals]);
    if (service && shape !== this.shape) {
      this.shape = shape;
      this.panels.forEach((panel) => panel.destroy());
      this.panels = GPU_PANELS.map((names) => names.filter((name) => service.signals.includes(name))).filter((names) => names.length > 0).map((names) => this.panel(names, service));
      this.curves.replaceChildren(...this.panels.map((panel) => panel.node));
    }
  }

  panel(names, service) {
    const signals = names.map((name) => this.context.vocabulary.get(name)).filter(Boolean);
    const id = `${names[0]}@${service.id} ${this.gpu.gpu}`.replaceAll(',', '');
    return new Panel({id, service: service.id, signals, pick: (labels) => isOf(this.gpu, labels), absent: service.absent}, {nav: this.context.nav, group: this.group, colours: this.colours});
  }

  showWords(gpu) {
    const inputs = gpu.state.inputs.map((name) => this.context.vocabulary.get(name)?.title ?? name).join(', ');
    const lines = [
      ['What it does', `${gpu.state.name}. ${gpu.state.says}`],
      inputs && ['Judged by', inputs],
      gpu.state.next && ['Look at next', gpu.state.next],
      ...gpu.reasons.map(({name, says, matters}) => [matters ? 'Slowed' : 'Clocks', `${asSentence(name)} ${says}${matters ? '' : ' No harm.'}`]),
      gpu.xid && [`XID ${gpu.xid.code}`, `${gpu.xid.says} ${gpu.xid.action ?? ''} ${gpu.xid.since ? `Since ${moment(gpu.xid.since)}.` : 'Older than what is kept.'}`],
      gpu.ecc_uncorrected > 0 && ['Memory errors', `${gpu.ecc_uncorrected} uncorrected, ${gpu.ecc_corrected ?? 'unknown'} corrected.`],
      gpu.engine && ['Engine', h('a', {href: this.context.linkTo(servicePath(gpu.engine)), 'data-nav': true}, gpu.engine)],
      ['Exporter', h('a', {href: this.context.linkTo(servicePath(gpu.service)), 'data-nav': true}, gpu.service)],
      gpu.uuid && ['UUID', gpu.uuid],
    ].filter(Boolean);
    const key = JSON.stringify(lines.map(([head, value]) => [head, typeof value === 'string' ? value : value.textContent]));
    if (this.words.dataset.shown !== key) {
      this.words.dataset.shown = key;
      this.words.replaceChildren(h('dl', {class: 'facts'}, lines.map(([head, value]) => h('div', {}, h('dt', {}, head), h('dd', {}, value)))));
    }
  }

  destroy() {
    this.panels.forEach((panel) => panel.destroy());
    this.node.remove();
  }
}
