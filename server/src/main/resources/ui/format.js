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

const WORDS = {tokens: 'tok', requests: 'req', count: ''};

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
 * @returns {Quantity}
 */
export function quantity(value, unit) {
  if (value === null || value === undefined || !Number.isFinite(value)) {
    return {text: NOTHING, unit: ''};
  }
  const perSecond = unit.endsWith('/s');
  const base = perSecond ? unit.slice(0, -2) : unit;
  const plain = quantityOf(value, base);
  return perSecond ? {text: plain.text, unit: `${plain.unit}/s`} : plain;
}

/** @returns {Quantity} */
function quantityOf(value, base) {
  switch (base) {
    case 'seconds':
      return value === 0 ? {text: '0', unit: 's'} : scaled(value, DURATION, '');
    case 'ratio':
      return {text: percent(value), unit: '%'};
    case 'bytes':
      return scaled(value, BINARY, '');
    case 'celsius':
      return {text: significant(value), unit: '°C'};
    case 'watts':
      return scaled(value, DECIMAL, 'W');
    case 'hertz':
      return scaled(value, DECIMAL, 'Hz');
    default:
      return scaled(value, DECIMAL, base in WORDS ? WORDS[base] : base, true);
  }
}

/** @returns {Quantity} */
function scaled(value, scales, word, spaced = false) {
  const [factor, name] = scaleFor(value, scales);
  const gap = spaced && name && word ? ' ' : '';
  return {text: significant(value / factor), unit: `${name}${gap}${word}`};
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
 * A quantile with its bounds in mind: beyond the last finite bucket only a lower bound is known.
 *
 * @param {number|null|undefined} value
 * @param {string} unit
 * @param {number|null|undefined} low
 * @param {number|null|undefined} high
 * @returns {Quantity}
 */
export function boundedQuantity(value, unit, low, high) {
  if (value !== null && value !== undefined && low !== null && low !== undefined && high === null) {
    const edge = quantity(low, unit);
    return {text: `> ${edge.text}`, unit: edge.unit};
  }
  return quantity(value, unit);
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
