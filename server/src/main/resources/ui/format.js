/** Numbers as people read them: two or three significant digits, and a unit that changes with the size. */

/** @typedef {{text: string, unit: string}} Quantity a number and its unit, to be set apart on screen */

const NOTHING = '–';

const DECIMAL = [
  [1e12, 'T'],
  [1e9, 'G'],
  [1e6, 'M'],
  [1e3, 'k'],
  [1, ''],
];

const BINARY = [
  [2 ** 50, 'PiB'],
  [2 ** 40, 'TiB'],
  [2 ** 30, 'GiB'],
  [2 ** 20, 'MiB'],
  [2 ** 10, 'KiB'],
  [1, 'B'],
];

const DURATION = [
  [86400, 'd', 2 * 86400],
  [3600, 'h', 2 * 3600],
  [60, 'min', 120],
  [1, 's', 1],
  [1e-3, 'ms', 1e-3],
  [1e-6, 'µs', 0],
];

/** Money has the currency of whoever told the price. */
const WORDS = {tokens: 'tok', requests: 'req', operations: 'op', count: '', money: ''};

/** Bounds further apart than this leave no more than two digits that mean something. */
const WIDE = 1.2;

/**
 * Three significant digits without an exponent; whole numbers stay whole, and zeros that say nothing about the
 * precision of a whole number aren't added.
 *
 * @param {number} value
 * @param {number} [digits]
 * @returns {string}
 */
export function significant(value, digits = 3) {
  if (value === 0) {
    return '0';
  }
  const magnitude = Math.floor(Math.log10(Math.abs(value)));
  if (Number.isInteger(value) && magnitude < digits) {
    return String(value);
  }
  const rounded = Number(value.toPrecision(digits));
  const decimals = Math.max(0, digits - 1 - Math.floor(Math.log10(Math.abs(rounded))));
  return decimals > 12 ? rounded.toExponential(digits - 1) : rounded.toFixed(decimals);
}

/**
 * The largest scale that leaves the rounded number at 1 or above, so that 999.9 ms is 1.00 s.
 *
 * @param {number} value
 * @param {Array} scales largest first: factor, name, optionally the value from which it is used
 */
function scaleFor(value, scales) {
  const rounded = Math.max(Math.abs(value), Math.abs(Number(value.toPrecision(3))));
  return scales.find(([factor, , from]) => rounded >= (from ?? factor)) ?? scales[scales.length - 1];
}

/**
 * @param {number|null|undefined} value
 * @param {string} unit a unit of the vocabulary, such as `seconds` or `tokens/s`
 * @param {number} [digits] significant digits
 * @returns {Quantity}
 */
export function quantity(value, unit, digits = 3) {
  if (value === null || value === undefined || !Number.isFinite(value)) {
    return {text: NOTHING, unit: ''};
  }
  const perSecond = unit.endsWith('/s');
  const base = perSecond ? unit.slice(0, -2) : unit;
  const plain = quantityOf(value, base, digits);
  return perSecond ? {text: plain.text, unit: `${plain.unit}/s`} : plain;
}

/** @returns {Quantity} */
function quantityOf(value, base, digits) {
  switch (base) {
    case 'seconds':
      return value === 0 ? {text: '0', unit: 's'} : scaled(value, DURATION, '', digits);
    case 'ratio':
      return {text: percent(value), unit: '%'};
    case 'bytes':
      return scaled(value, BINARY, '', digits);
    case 'celsius':
      return {text: significant(value, digits), unit: '°C'};
    case 'watts':
      return scaled(value, DECIMAL, 'W', digits);
    case 'hertz':
      return scaled(value, DECIMAL, 'Hz', digits);
    default:
      return scaled(value, DECIMAL, base in WORDS ? WORDS[base] : base, digits, true);
  }
}

/** @returns {Quantity} */
function scaled(value, scales, word, digits, spaced = false) {
  const [factor, name] = scaleFor(value, scales);
  const gap = spaced && name && word ? ' ' : '';
  return {text: significant(value / factor, digits), unit: `${name}${gap}${word}`};
}

/**
 * A share as a percentage. What is nearly but not quite all, or nearly but not quite nothing, never reads as 100 or 0.
 *
 * @param {number} ratio
 * @returns {string}
 */
export function percent(ratio) {
  const value = ratio * 100;
  if (value > 99.995 && value < 100) {
    return '>99.99';
  }
  if (value > 99 && value < 100) {
    return value.toFixed(2);
  }
  if (value > 0 && value < 0.001) {
    return '<0.001';
  }
  if (Math.abs(value) > 0 && Math.abs(value) < 1) {
    return significant(value, 2);
  }
  return significant(Number(value.toFixed(6)));
}

/**
 * @param {number|null|undefined} value
 * @param {string} unit
 * @returns {string} number and unit in one string: `6.10 s`
 */
export function format(value, unit) {
  const {text, unit: shown} = quantity(value, unit);
  return shown === '' ? text : `${text} ${shown}`;
}

/**
 * A value with its bounds in mind: beyond the last finite bucket only a lower bound is known, in the first bucket only
 * an upper one, without a value only the two, and wide bounds leave two digits.
 *
 * @param {number|null|undefined} value
 * @param {string} unit
 * @param {number|null|undefined} [low] undefined if the value has no bounds
 * @param {number|null|undefined} [high]
 * @returns {Quantity}
 */
export function boundedQuantity(value, unit, low, high) {
  const has = (bound) => bound !== null && bound !== undefined && Number.isFinite(bound);
  if (!has(value)) {
    return has(low) && has(high) ? rangeQuantity(low, high, unit) : quantity(value, unit);
  }
  if (!has(low) && !has(high)) {
    return quantity(value, unit);
  }
  if (!has(high)) {
    return beyond('>', low, unit);
  }
  if (!has(low) || (low === 0 && high > 0)) {
    // The first bucket of some ends at 0: what is in it was no time, nothing.
    return high === 0 ? quantity(0, unit) : beyond('<', high, unit);
  }
  return quantity(value, unit, low > 0 && high / low >= WIDE ? 2 : 3);
}

function beyond(sign, edge, unit) {
  const {text, unit: suffix} = quantity(edge, unit);
  return {text: `${sign} ${text}`, unit: suffix};
}

/** Two bounds and nothing between them: `0.91 to 0.97`. @returns {Quantity} */
export function rangeQuantity(low, high, unit) {
  const from = quantity(low, unit);
  const to = quantity(high, unit);
  if (from.text === to.text && from.unit === to.unit) {
    return to;
  }
  return {text: from.unit === to.unit || from.text === '0' ? `${from.text} to ${to.text}` : `${from.text} ${from.unit} to ${to.text}`, unit: to.unit};
}

/**
 * What bounds say in words: `between 2.50 and 5 s`, `above 10 s`, `below 100 ms`; empty without bounds.
 *
 * @returns {string}
 */
export function boundsWords(unit, low, high) {
  const has = (bound) => bound !== null && bound !== undefined && Number.isFinite(bound);
  const text = (value) => format(value, unit);
  if (has(low) && has(high)) {
    return low === 0 && high > 0 ? `below ${text(high)}` : `between ${text(low)} and ${text(high)}`;
  }
  return has(low) ? `above ${text(low)}` : has(high) ? `below ${text(high)}` : '';
}

/**
 * A length of time in whole words: `35 s`, `4 min`, `2 h 5 min`, `3 d 4 h`.
 *
 * @param {number} seconds
 * @returns {string}
 */
export function duration(seconds) {
  const whole = Math.max(0, Math.round(seconds));
  if (whole < 120) {
    return `${whole} s`;
  }
  const minutes = Math.floor(whole / 60);
  if (minutes < 120) {
    return `${minutes} min`;
  }
  const hours = Math.floor(minutes / 60);
  if (hours < 48) {
    return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`;
  }
  return hours % 24 === 0 ? `${Math.floor(hours / 24)} d` : `${Math.floor(hours / 24)} d ${hours % 24} h`;
}

/**
 * @param {number|null} seconds
 * @returns {string} `12 s ago`, or `never`
 */
export function age(seconds) {
  return seconds === null || !Number.isFinite(seconds) ? 'never' : seconds < 1 ? 'now' : `${duration(seconds)} ago`;
}

const two = (n) => String(n).padStart(2, '0');

/**
 * @param {number} time seconds since the epoch
 * @returns {string} local `14:02:05`
 */
export function clock(time) {
  const date = new Date(time * 1000);
  return `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
}

/**
 * @param {number} time seconds since the epoch
 * @returns {string} local `2026-11-29 14:02:05`
 */
export function moment(time) {
  const date = new Date(time * 1000);
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${clock(time)}`;
}

/**
 * A sample of PromQL as Prometheus writes it, kept exact unless it is long.
 *
 * @param {string} text
 * @returns {string}
 */
export function sample(text) {
  const value = Number(text);
  if (!Number.isFinite(value) || text.length <= 10) {
    return text;
  }
  return String(Number(value.toPrecision(8)));
}

/** Without the characters that turn the direction of the text around them; for what stands inside a sentence. */
export function undirected(text) {
  return text.replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '');
}

/**
 * Labels as PromQL writes them, the metric name first.
 *
 * @param {Record<string, string>} labels
 * @param {string[]} [without] label names to leave out
 * @returns {string}
 */
export function labelText(labels, without = []) {
  const name = labels.__name__ ?? '';
  const pairs = Object.entries(labels)
    .filter(([key]) => key !== '__name__' && !without.includes(key))
    .map(([key, value]) => `${key}=${JSON.stringify(value)}`);
  return pairs.length === 0 ? name || '{}' : `${name}{${pairs.join(', ')}}`;
}
