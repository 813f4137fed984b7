/** Histograms in query results: native ones, and classic ones put together from series that differ only by `le`. */

import {labelText} from './format.js';

/**
 * @typedef {object} Bucket
 * @property {number} low
 * @property {number} high
 * @property {number} count observations between the bounds, or their rate
 * @property {number} rule which bounds belong to it: 0 the upper, 1 the lower, 2 none, 3 both
 *
 * @typedef {object} Histogram
 * @property {string} name its labels, without `le`
 * @property {boolean} native
 * @property {(Bucket[]|null)[]} columns one a time, null for a gap
 */

/** The most histograms to choose from. */
export const MAX_HISTOGRAMS = 100;

/**
 * @param {{resultType: string, result: any[]}} data of a query
 * @returns {boolean} whether the answer has histograms
 */
export function hasHistograms({resultType, result}) {
  if (resultType !== 'vector' && resultType !== 'matrix') {
    return false;
  }
  const seen = new Map();
  return result.some((series) => {
    const {metric} = series;
    if (series.histogram || series.histograms?.length > 0) {
      return true;
    }
    if (metric.le === undefined || Number.isNaN(boundOf(metric.le))) {
      return false;
    }
    const key = classicName(metric);
    const other = seen.get(key);
    seen.set(key, metric.le);
    return other !== undefined && other !== metric.le;
  });
}

/**
 * @param {any[]} result of a range query
 * @param {import('./types.js').Window} window
 * @returns {Histogram[]} by name
 */
export function histogramsOf(result, window) {
  const length = Math.round((window.end - window.start) / window.step) + 1;
  const classic = new Map();
  const found = [];
  for (const series of result) {
    if (series.histograms?.length > 0) {
      found.push({name: labelText(series.metric), native: true, columns: nativeColumns(series.histograms, window, length)});
    }
    if (series.metric.le !== undefined && series.values && !Number.isNaN(boundOf(series.metric.le))) {
      const name = classicName(series.metric);
      classic.set(name, [...(classic.get(name) ?? []), {bound: boundOf(series.metric.le), values: series.values}]);
    }
  }
  for (const [name, buckets] of classic) {
    if (buckets.length > 1) {
      found.push({name, native: false, columns: classicColumns(buckets, window, length)});
    }
  }
  return found.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0)).slice(0, MAX_HISTOGRAMS);
}

function boundOf(le) {
  return le === '+Inf' || le === 'Inf' ? Infinity : le === '-Inf' ? -Infinity : le.trim() === '' ? NaN : Number(le);
}

function classicName({__name__: name = '', ...labels}) {
  return labelText({__name__: name.replace(/_bucket$/, ''), ...labels}, ['le']);
}

function indexAt(time, {start, step}) {
  return Math.round((time - start) / step);
}

function nativeColumns(histograms, window, length) {
  const columns = new Array(length).fill(null);
  for (const [time, histogram] of histograms) {
    const at = indexAt(time, window);
    if (at >= 0 && at < length) {
      columns[at] = nativeBuckets(histogram);
    }
  }
  return columns;
}

/**
 * @param {{buckets?: [number, string, string, string][]}} histogram as the API writes it
 * @returns {Bucket[]}
 */
export function nativeBuckets({buckets = []}) {
  return buckets.map(([rule, low, high, count]) => ({low: boundOf(low), high: boundOf(high), count: Number(count), rule}));
}

/** Cumulative counts by upper bound, at each time taken apart into what lies between neighbours. */
function classicColumns(series, window, length) {
  const sorted = series.sort((a, b) => a.bound - b.bound);
  const grid = sorted.map(({values}) => {
    const row = new Array(length).fill(null);
    for (const [time, text] of values) {
      const at = indexAt(time, window);
      if (at >= 0 && at < length && Number.isFinite(Number(text))) {
        row[at] = Number(text);
      }
    }
    return row;
  });
  return Array.from({length}, (_, at) => classicBuckets(sorted.map(({bound}, i) => [bound, grid[i][at]]).filter(([, count]) => count !== null)));
}

/**
 * @param {[number, number][]} cumulative upper bounds, ascending, with how much lies at or below each
 * @returns {Bucket[]|null}
 */
export function classicBuckets(cumulative) {
  if (cumulative.length < 2) {
    return null;
  }
  let low = cumulative[0][0] > 0 ? 0 : -Infinity;
  let below = 0;
  return cumulative.map(([high, count]) => {
    // Buckets are read one after the other, so a later one may lag behind; less than nothing lies nowhere.
    const bucket = {low, high, count: Math.max(0, count - below), rule: 0};
    low = high;
    below = Math.max(below, count);
    return bucket;
  });
}

/** @returns {string} the bounds as mathematics writes them, square where a bound belongs to the bucket */
export function boundsText({low, high, rule}, written) {
  const open = rule === 1 || rule === 3 ? '[' : '(';
  const close = rule === 0 || rule === 3 ? ']' : ')';
  return `${open}${written(low)}, ${written(high)}${Number.isFinite(high) ? close : ')'}`;
}

/**
 * The unit that bounds have, as the first name says that has a unit: of the histogram, or what was selected for it.
 *
 * @param {string[]} names metric names, whatever follows them
 */
export function unitOf(names) {
  for (const name of names) {
    const unit = /^[\w:]*?_(seconds|bytes)(?:_bucket)?(?!\w)/.exec(name)?.[1];
    if (unit !== undefined) {
      return unit;
    }
  }
  return 'count';
}

/**
 * A scale on which buckets of any histogram have a height: logarithmic away from zero, and straight between the bounds
 * nearest to it. What is infinite lies a little beyond the last finite bound.
 */
export class BoundScale {
  /** @param {Bucket[]} buckets */
  constructor(buckets) {
    const finite = buckets.flatMap(({low, high}) => [low, high]).filter(Number.isFinite);
    const around = buckets.filter(({low, high}) => low < 0 && high > 0);
    // The bucket around zero is as narrow as 1e-38; it is drawn up to its neighbours.
    const outside = buckets.filter((bucket) => !around.includes(bucket)).flatMap(({low, high}) => [low, high]);
    const near = outside.filter((bound) => Number.isFinite(bound) && bound !== 0 && !around.some(({low, high}) => bound > low && bound < high)).map(Math.abs);
    this.unit = near.reduce((least, bound) => Math.min(least, bound), Infinity);
    if (this.unit === Infinity) {
      this.unit = finite.reduce((most, bound) => Math.max(most, Math.abs(bound)), 0) || 1;
    }
    const negative = buckets.some(({low, high, count}) => low < 0 && high <= 0 && count > 0);
    this.floor = negative ? -1 : 0;
    const places = finite.filter((bound) => negative || bound >= 0).map((bound) => this.straight(bound));
    const [least = 0, most = 1] = minMax(around.length > 0 ? [this.floor, 1, ...places] : places);
    this.low = least;
    this.high = most > least ? most : least + 1;
    const beyond = Math.max(1, (this.high - this.low) * 0.06);
    this.bottom = buckets.some(({low, high, count}) => low === -Infinity && count > 0 && high < 0) ? this.low - beyond : this.low;
    this.top = buckets.some(({high, count}) => high === Infinity && count > 0) ? this.high + beyond : this.high;
  }

  straight(bound) {
    const size = Math.abs(bound) / this.unit;
    return Math.sign(bound) * (size < 1 ? size : 1 + Math.log2(size));
  }

  /** @returns {number} where a bound lies, 0 at the bottom, 1 at the top */
  place(bound) {
    const at = bound === Infinity ? this.top : bound === -Infinity ? this.bottom : this.straight(bound);
    return Math.min(1, Math.max(0, (at - this.bottom) / (this.top - this.bottom)));
  }

  /** @param {Bucket} bucket @returns {{from: number, to: number}} the bucket's stretch */
  stretch({low, high}) {
    if (low < 0 && high > 0 && Math.abs(low) < this.unit && high < this.unit) {
      return {from: this.place(this.floor * this.unit), to: this.place(this.unit)};
    }
    return {from: this.place(low), to: this.place(high)};
  }
}

function minMax(numbers) {
  let [least, most] = [Infinity, -Infinity];
  for (const number of numbers) {
    least = Math.min(least, number);
    most = Math.max(most, number);
  }
  return numbers.length === 0 ? [] : [least, most];
}

/**
 * The buckets that are worth the room: from the lowest that holds something to the highest, and one more on either side.
 *
 * @param {Bucket[]} buckets each once, with the most that it ever holds
 * @returns {Bucket[]} by bounds
 */
export function worthShowing(buckets) {
  const sorted = [...buckets].sort((a, b) => a.low - b.low || a.high - b.high);
  const first = sorted.findIndex(({count}) => count > 0);
  const last = sorted.findLastIndex(({count}) => count > 0);
  return first < 0 ? sorted : sorted.slice(Math.max(0, first - 1), last + 2);
}

const LONG_STEPS = [60, 600, 3600, 36_000, 86_400, 864_000, 8_640_000];
const LONG_STEPS_DENSE = [60, 120, 300, 600, 1200, 3600, 7200, 18_000, 36_000, 86_400, 172_800, 432_000, 864_000];

/** Round bounds between two, in the steps in which a unit is spoken of; dense ones lie about a factor of two apart. */
function roundBounds(least, most, unit, dense) {
  const base = unit === 'bytes' ? (dense ? 2 : 32) : 10;
  const factors = dense && base === 10 ? [1, 2, 5] : [1];
  const end = unit === 'seconds' ? Math.min(most, 59) : most;
  const found = [];
  for (let power = Math.floor(Math.log(least) / Math.log(base) + 1e-9); base ** power <= end; power++) {
    found.push(...factors.map((factor) => Number((factor * base ** power).toPrecision(12))));
  }
  const long = unit === 'seconds' ? (dense ? LONG_STEPS_DENSE : LONG_STEPS) : [];
  return [...found.filter((bound) => bound <= end), ...long].filter((bound) => bound >= least * (1 - 1e-9) && bound <= most);
}

/** Whether a bound was chosen by a person rather than by a power of two. */
function isPlain(bound) {
  return !Number.isFinite(bound) || Number(bound.toPrecision(3)) === bound;
}

/**
 * Marks for the axis of bounds: all bounds if they are plain and there is room, else round ones.
 *
 * @param {Bucket[]} buckets
 * @param {BoundScale} scale
 * @param {number} gap the least distance of two marks, as a share of the height
 * @param {string} unit
 * @returns {number[]}
 */
export function boundTicks(buckets, scale, gap, unit) {
  const isOn = (bound) => scale.straight(bound) >= scale.low && scale.straight(bound) <= scale.high;
  const bounds = new Set(buckets.flatMap(({low, high}) => [low, high]).filter((bound) => Number.isFinite(bound) && (bound === 0 || Math.abs(bound) >= scale.unit) && isOn(bound)));
  const sorted = [...bounds].sort((a, b) => a - b);
  const all = sorted.every((bound, i) => isPlain(bound) && (i === 0 || scale.place(bound) - scale.place(sorted[i - 1]) >= gap));
  const largest = sorted.reduce((most, bound) => Math.max(most, Math.abs(bound)), 0);
  const round = (dense) => roundBounds(scale.unit, largest, unit, dense).flatMap((bound) => [bound, -bound]).filter(isOn);
  const few = round(false);
  const chosen = few.length >= 3 ? few : round(true);
  const wanted = all || chosen.length < 2 ? sorted : [0, ...chosen];
  const kept = [];
  for (const bound of wanted) {
    if (isOn(bound) && kept.every((other) => Math.abs(scale.place(other) - scale.place(bound)) >= gap)) {
      kept.push(bound);
    }
  }
  return kept;
}

/** The most that a colour stands for, and the least above nothing. */
export function extremes(columns) {
  let [least, most] = [Infinity, 0];
  for (const column of columns) {
    for (const {count} of column ?? []) {
      if (count > 0 && Number.isFinite(count)) {
        least = Math.min(least, count);
        most = Math.max(most, count);
      }
    }
  }
  return {least: Number.isFinite(least) ? least : 0, most};
}
