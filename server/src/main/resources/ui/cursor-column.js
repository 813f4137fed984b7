/** The column beside the charts: every value at the cursor, by layer. */

import {h, reconcile, setAttr, setText} from './dom.js';
import {moment, quantity, rangeQuantity} from './format.js';
import {LAYERS} from './layout.js';
import {figure, updateFigure} from './marks.js';

/** A panel with more lines than this is one line of the column: from its lowest to its highest value. */
const MAX_LINES = 4;

export class CursorColumn {
  constructor() {
    this.time = h('p', {class: 'cursor-time'});
    this.values = h('div', {class: 'cursor-values'});
    this.node = h('aside', {class: 'side', 'aria-label': 'Values at the cursor'}, this.time, this.values);
  }

  /** @param {number|null} time null for now @param {import('./panel.js').Panel[]} panels */
  show(time, panels) {
    setText(this.time, time === null ? 'Now' : moment(time));
    const groups = LAYERS.map(([layer, title]) => ({layer, title, panels: panels.filter((panel) => panel.layer === layer)})).filter((group) => group.panels.length > 0);
    reconcile(
      this.values,
      groups,
      (item) => item.layer,
      (item) => h('section', {'data-layer': item.layer}, h('h3', {}, item.title), h('dl')),
      (node, item) => showLayer(node.lastElementChild, item.panels),
    );
  }
}

function showLayer(list, panels) {
  reconcile(
    list,
    panels.flatMap(rowsOf),
    (row) => row.key,
    () => h('div', {}, h('dt', {}, h('span', {class: 'what'}), h('span', {class: 'which'})), h('dd', {}, figure())),
    (node, row) => {
      setText(node.querySelector('.what'), row.title);
      setText(node.querySelector('.which'), row.label);
      setAttr(node.firstElementChild, 'title', `${row.title} ${row.label}`);
      node.style.setProperty('--swatch', `var(${row.color})`);
      updateFigure(node.lastElementChild.firstElementChild, row.quantity);
    },
  );
}

function rowsOf(panel) {
  const values = panel.valuesAtCursor();
  if (values.length > MAX_LINES) {
    return [{key: panel.id, title: panel.title, label: `× ${values.length}`, color: `--${panel.layer}`, quantity: spanOf(values, panel.unit)}];
  }
  return values.map((entry, i) => ({...entry, key: `${panel.id} ${i}`, title: panel.title, label: values.length === 1 ? '' : entry.label}));
}

/** The lowest and the highest of some values in one unit. */
function spanOf(values, unit) {
  const known = values.map((entry) => entry.value).filter((value) => value !== null);
  return known.length === 0 ? quantity(null, unit) : rangeQuantity(Math.min(...known), Math.max(...known), unit);
}
