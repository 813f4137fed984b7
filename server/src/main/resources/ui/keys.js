/** What the keys do, and the page that says so. */

import {h} from './dom.js';

export const KEYS = [
  ['?', 'These keys'],
  ['Ctrl K  or  :', 'Go to a service, its diagnosis, a cause, a signal or a page; run a query'],
  ['d', 'The diagnosis: of the service that is shown, else of the worst'],
  ['w', 'On a service: why, beside the charts'],
  ['i', 'The incidents'],
  ['/', 'Filter the rows'],
  ['j  k', 'Next, previous row'],
  ['Enter', 'Into the row'],
  ['Esc', 'Back'],
  ['space', 'Pause, go live'],
  ['[  ]', 'Move the range back, forward'],
  ['+  -', 'Zoom in, out'],
  ['← →', 'On a chart: move the cursor'],
  ['drag', 'On a chart: zoom; with Shift: pan'],
  ['click', 'On a chart: keep the cursor there'],
  ['Ctrl space', 'In a query: what can stand here'],
  ['Tab', 'In a query: take the first offer'],
];

/** @returns {HTMLDialogElement} */
export function helpDialog() {
  const rows = KEYS.map(([keys, does]) => h('tr', {}, h('th', {scope: 'row'}, h('kbd', {}, keys)), h('td', {}, does)));
  const node = h('dialog', {class: 'help', 'aria-label': 'Keys'}, h('h2', {}, 'Keys'), h('table', {}, h('tbody', {}, rows)), h('form', {method: 'dialog'}, h('button', {class: 'small'}, 'Close')));
  node.addEventListener('click', (event) => event.target === node && node.close());
  return /** @type {HTMLDialogElement} */ (node);
}

/** Moves the focus by one row, from the first row if none has it. */
export function focusRow(root, by) {
  const rows = [...root.querySelectorAll('[data-row]')].filter((row) => row.offsetParent !== null);
  const at = rows.findIndex((row) => row.contains(document.activeElement));
  const next = at < 0 ? (by > 0 ? 0 : rows.length - 1) : Math.min(rows.length - 1, Math.max(0, at + by));
  rows[next]?.focus();
  rows[next]?.scrollIntoView({block: 'nearest'});
}

/** @returns {boolean} whether keys belong to what has the focus */
function isTyping(target) {
  return target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));
}

/**
 * @param {Record<string, () => void>} does by key; `Enter` is only asked for on rows
 * @param {() => void} palette
 */
export function listenForKeys(does, palette) {
  document.addEventListener('keydown', (event) => {
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
      event.preventDefault();
      palette();
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target) || document.querySelector('dialog[open]')) {
      return;
    }
    const onControl = event.target instanceof HTMLElement && event.target.closest('button, a, summary') !== null;
    if (does[event.key] && !(onControl && (event.key === ' ' || event.key === 'Enter'))) {
      event.preventDefault();
      does[event.key]();
    }
  });
}
