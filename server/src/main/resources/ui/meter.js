/** A value against the threshold that it is held to, as a small bar with a mark. */

import {setAttr, svg} from './dom.js';

const WIDTH = 96;
const HEIGHT = 10;

/** @returns {SVGElement} an empty meter */
export function meter() {
  return svg(
    'svg',
    {class: 'meter', viewBox: `0 0 ${WIDTH} ${HEIGHT}`, width: WIDTH, height: HEIGHT, 'aria-hidden': 'true'},
    svg('rect', {class: 'meter-ground', x: 0, y: 3, width: WIDTH, height: 4}),
    svg('rect', {class: 'meter-value', x: 0, y: 3, width: 0, height: 4}),
    svg('path', {class: 'meter-threshold', d: ''}),
  );
}

/**
 * @param {SVGElement} node made by meter
 * @param {number|null} value
 * @param {number|null} threshold without one nothing is drawn
 */
export function updateMeter(node, value, threshold) {
  const isDrawn = value !== null && threshold !== null && value >= 0 && threshold >= 0 && value + threshold > 0;
  setAttr(node, 'visibility', isDrawn ? 'visible' : 'hidden');
  if (isDrawn) {
    const top = Math.max(value, threshold * 1.25);
    const x = (number) => ((number / top) * WIDTH).toFixed(1);
    setAttr(node.children[1], 'width', x(value));
    setAttr(node.children[2], 'd', `M${Math.max(0.5, Number(x(threshold)))} 0V${HEIGHT}`);
  }
}
