/** Lines of evidence by layer: what was measured, before and now, what it was held against; behind each its chart. */

import {h, reconcile, setAttr, setText} from './dom.js';
import {EvidenceChart} from './evidence-chart.js';
import {format, undirected} from './format.js';
import {meter, updateMeter} from './meter.js';
import {QUALITY_WORDS} from './panel-details.js';
import {byLayer, layerWord, signalTitle} from './verdicts.js';

const HEADS = ['Layer', 'What', 'Now', 'Before', 'Threshold', ''];

export class EvidenceRows {
  /**
   * @param {string} id of the verdict that it is for, with what tells for and against apart
   * @param {any} context of the view; `openEvidence(evidence)` takes the place of the chart where there is one
   */
  constructor(id, context) {
    this.id = id;
    this.context = context;
    this.body = h('tbody');
    this.node = h('table', {class: 'rows evidence'}, h('thead', {}, h('tr', {}, HEADS.map((text, i) => h('th', {scope: 'col', class: `v${i}`}, text)))), this.body);
    /** @type {Map<string, EvidenceChart>} */
    this.charts = new Map();
    /** @type {Map<string, import('./types.js').Evidence>} */
    this.latest = new Map();
    /** Rows that the reader opened or closed himself. @type {Map<string, boolean>} */
    this.chosen = new Map();
  }

  /**
   * @param {import('./types.js').Evidence[]} list the most telling first
   * @param {string} service
   * @param {boolean} opensFirst whether the chart of the most telling is shown without being asked for
   */
  show(list, service, opensFirst) {
    const keys = list.map((one) => this.keyOf(one));
    const open = this.context.nav.place.open;
    this.isOpen = (key) => this.chosen.get(key) ?? (open.includes(key) || (opensFirst && key === keys.find((_, i) => this.canDraw(list[i]))));
    this.service = service;
    const ordered = byLayer(list.filter((one, i) => keys.indexOf(keys[i]) === i));
    const rows = ordered.flatMap((evidence) => {
      const key = this.keyOf(evidence);
      const shown = this.canDraw(evidence) && this.isOpen(key) && !this.context.openEvidence;
      return [{key, evidence, isChart: false}, ...(shown ? [{key: `${key} chart`, evidence, isChart: true}] : [])];
    });
    reconcile(
      this.body,
      rows,
      ({key}) => key,
      (row) => (row.isChart ? this.chartRow(row.evidence) : this.row(row.evidence)),
      (node, row) => row.isChart || this.update(node, row.evidence),
    );
    this.forget(rows);
  }

  keyOf({signal, of, layer}) {
    return `${this.id}.${layer}.${signal}${of === null ? '' : `.${of}`}`.replaceAll(/[,\s]/g, '_');
  }

  canDraw(evidence) {
    return EvidenceChart.isPossible(evidence, this.context.vocabulary);
  }

  titleOf({signal}) {
    return signalTitle(signal, this.context.vocabulary);
  }

  row(evidence) {
    const canOpen = this.canDraw(evidence);
    const name = h(canOpen ? 'button' : 'span', canOpen ? {type: 'button', class: 'disclose', onclick: () => this.toggle(this.latest.get(this.keyOf(evidence)) ?? evidence)} : {});
    const node = h(
      'tr',
      canOpen ? {tabindex: -1, 'data-row': true} : {},
      h('td', {class: 'v0'}, h('span', {class: 'layer-word'})),
      h('td', {class: 'v1'}, name, h('span', {class: 'of muted'})),
      h('td', {class: 'v2'}),
      h('td', {class: 'v3'}),
      h('td', {class: 'v4'}, h('span'), meter()),
      h('td', {class: 'v5'}),
    );
    node.addEventListener('enter', () => name.click());
    return node;
  }

  update(node, evidence) {
    this.latest.set(this.keyOf(evidence), evidence);
    const [layer, what, now, before, threshold, says] = node.children;
    const title = this.titleOf(evidence);
    setAttr(node, 'data-layer', evidence.layer);
    setText(layer.firstElementChild, layerWord(evidence.layer));
    setText(what.firstElementChild, title);
    const quality = evidence.quality === 'exact' || evidence.quality === 'derived' ? '' : QUALITY_WORDS[evidence.quality] ?? '';
    setText(what.lastElementChild, undirected([evidence.of, evidence.service, quality].filter(Boolean).join(' · ')));
    setText(now, format(evidence.value, evidence.unit));
    setText(before, evidence.baseline === null ? '' : format(evidence.baseline, evidence.unit));
    setAttr(before, 'data-head', evidence.baseline === null ? null : 'before');
    setText(threshold.firstElementChild, evidence.threshold === null ? '' : format(evidence.threshold, evidence.unit));
    setAttr(threshold, 'data-head', evidence.threshold === null ? null : 'threshold');
    updateMeter(threshold.lastElementChild, evidence.value, evidence.threshold);
    setText(says, undirected(evidence.says));
    if (this.canDraw(evidence)) {
      setAttr(what.firstElementChild, 'aria-expanded', this.context.openEvidence ? null : String(this.isOpen(this.keyOf(evidence))));
      setAttr(what.firstElementChild, 'title', this.context.openEvidence ? 'Go to its chart' : 'Its chart');
    }
  }

  chartRow(evidence) {
    const key = this.keyOf(evidence);
    const chart = new EvidenceChart(key, evidence, this.service, this.context);
    this.charts.set(key, chart);
    return h('tr', {class: 'details-row chart-row'}, h('td', {colspan: HEADS.length}, chart.node));
  }

  toggle(evidence) {
    if (this.context.openEvidence) {
      this.context.openEvidence(evidence);
      return;
    }
    const key = this.keyOf(evidence);
    const isOpen = !this.isOpen(key);
    this.chosen.set(key, isOpen);
    this.context.nav.toggleOpen(key, isOpen);
    this.context.redraw();
  }

  /** Charts of rows that are gone or closed. */
  forget(rows) {
    const shown = new Set(rows.filter(({isChart}) => isChart).map(({evidence}) => this.keyOf(evidence)));
    for (const [key, chart] of this.charts) {
      if (!shown.has(key)) {
        chart.destroy();
        this.charts.delete(key);
      }
    }
  }

  /** @returns {Promise<void[]>} once its open charts are drawn */
  refresh(window, abort) {
    return Promise.all([...this.charts.values()].map((chart) => chart.refresh(window, abort)));
  }

  repaint() {
    this.charts.forEach((chart) => chart.repaint());
  }

  destroy() {
    this.charts.forEach((chart) => chart.destroy());
  }
}
