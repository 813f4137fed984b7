/** Where the marks of an axis go: round numbers in the unit that is shown, round times in the reader's zone. */

import {quantity} from './format.js';

const DURATION_STEPS = [
  1e-6, 2e-6, 5e-6, 1e-5, 2e-5, 5e-5, 1e-4, 2e-4, 5e-4, 1e-3, 2e-3, 5e-3, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15,
  30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400, 21600, 43200, 86400,
];

const TIME_STEPS = [
  1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 14400, 21600, 43200, 86400, 172800, 604800,
];

const QUERY_STEPS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400, 21600, 43200, 86400];

/** The next of 1, 2, 5 times a power of `base` that is at least `raw`. */
function roundStep(raw, base) {
  const power = base ** Math.floor(Math.log(raw) / Math.log(base));
  const choices = base === 1024 ? [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024] : [1, 2, 5, 10];
  return power * (choices.find((choice) => choice * power >= raw * (1 - 1e-9)) ?? base);
}

/**
 * Marks from zero (or the first round number above `min`) to `max`, at most `count` of them.
 *
 * @param {number} min
 * @param {number} max
 * @param {string} unit
 * @param {number} count
 * @returns {number[]}
 */
export function valueTicks(min, max, unit, count) {
  if (!(max > min) || !Number.isFinite(max - min)) {
    return [min];
  }
  const step = valueStep((max - min) / Math.max(1, count), unit);
  const first = Math.ceil(min / step - 1e-9);
  const last = Math.floor(max / step + 1e-9);
  return Array.from({length: last - first + 1}, (_, i) => Number(((first + i) * step).toPrecision(12)));
}

function valueStep(raw, unit) {
  if (unit === 'seconds') {
    return DURATION_STEPS.find((step) => step >= raw * (1 - 1e-9)) ?? roundStep(raw / 86400, 10) * 86400;
  }
  return roundStep(raw, unit.startsWith('bytes') ? 1024 : 10);
}

/**
 * The top of an axis that starts at zero: the first mark at or above the largest value.
 *
 * @param {number} largest
 * @param {string} unit
 * @param {number} count
 * @returns {number}
 */
export function axisTop(largest, unit, count = 4) {
  if (unit === 'ratio' && largest > 0.5 && largest <= 1) {
    return 1;
  }
  if (!(largest > 0) || !Number.isFinite(largest)) {
    return unit === 'ratio' ? 0.01 : 1;
  }
  const step = valueStep(largest / count, unit);
  return Number((Math.ceil(largest / step - 1e-9) * step).toPrecision(12));
}

/**
 * Labels of marks: the number and its scale. Of what it is a count, and that it is a rate, stands in the title.
 *
 * @param {number[]} ticks
 * @param {string} unit
 * @returns {string[]}
 */
export function tickLabels(ticks, unit) {
  const shown = ticks.map((tick) => {
    const {text, unit: suffix} = quantity(tick, unit);
    const scale = suffix.replace(/ ?(req|tok)?(\/s)?$/, '');
    return tick === 0 ? '0' : `${trimZeros(text)}${scale === '' ? '' : ` ${scale}`}`;
  });
  return shown;
}

function trimZeros(text) {
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}

/**
 * Marks on a time axis at round local times.
 *
 * @param {number} start seconds
 * @param {number} end seconds
 * @param {number} count at most about this many
 * @returns {{step: number, times: number[]}}
 */
export function timeTicks(start, end, count) {
  const raw = (end - start) / Math.max(1, count);
  const step = TIME_STEPS.find((choice) => choice >= raw) ?? Math.ceil(raw / 604800) * 604800;
  const zone = -new Date(start * 1000).getTimezoneOffset() * 60;
  const first = Math.ceil((start + zone) / step) * step - zone;
  const times = [];
  for (let time = first; time <= end; time += step) {
    times.push(time);
  }
  return {step, times};
}

/**
 * @param {number} time seconds
 * @param {number} step seconds between marks
 * @returns {string} as much of the time as differs at this step; midnight is a date
 */
export function timeLabel(time, step) {
  const date = new Date(time * 1000);
  const two = (n) => String(n).padStart(2, '0');
  const midnight = date.getHours() === 0 && date.getMinutes() === 0 && date.getSeconds() === 0;
  if (midnight && step >= 60) {
    return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`.slice(5);
  }
  const minutes = `${two(date.getHours())}:${two(date.getMinutes())}`;
  return step < 60 ? `${minutes}:${two(date.getSeconds())}` : minutes;
}

/**
 * How far apart the values of a chart are asked for: round, at most some 300 points.
 *
 * @param {number} span seconds
 * @param {number} [points]
 * @returns {number} seconds
 */
export function queryStep(span, points = 300) {
  const raw = span / points;
  return QUERY_STEPS.find((step) => step >= raw) ?? Math.ceil(raw / 86400) * 86400;
}
