/** Puts curves and the values of this moment together. */

/**
 * Curves lie on whole steps and so end up to a step ago; what is called "now" must be now. The moment's values become
 * the last point of each curve, and a series that only exists now becomes a curve of one point.
 *
 * @param {{times: number[], results: import('./types.js').SignalResult[]}} curves
 * @param {{times: number[], results: import('./types.js').SignalResult[]}} now of the same signals in the same order
 * @returns {{times: number[], results: import('./types.js').SignalResult[]}}
 */
export function withNow(curves, now) {
  const moment = now.times.at(-1);
  if (moment === undefined || moment <= (curves.times.at(-1) ?? -Infinity)) {
    return curves;
  }
  const results = curves.results.map((result, i) => {
    const current = now.results[i];
    const source = result.quality === 'absent' ? current : result;
    return {...source, series: joined(result.series, current.series, curves.times.length)};
  });
  return {times: [...curves.times, moment], results};
}

function joined(curves, current, length) {
  const keyOf = (series) => JSON.stringify(Object.entries(series.labels).sort());
  const last = new Map(current.map((series) => [keyOf(series), series]));
  const longer = curves.map((series) => {
    const key = keyOf(series);
    const point = last.get(key);
    last.delete(key);
    return extended(series, point);
  });
  return [...longer, ...[...last.values()].map((point) => extended(gap(point, length), point))];
}

/** Columns that a series may have beside its values. */
const COLUMNS = ['low', 'high', 'counts'];

function extended(series, point) {
  const grown = {labels: series.labels, values: [...series.values, point?.values.at(-1) ?? null]};
  for (const column of COLUMNS) {
    if (series[column] || point?.[column]) {
      grown[column] = [...(series[column] ?? nothing(series.values.length)), point?.[column]?.at(-1) ?? null];
    }
  }
  return grown;
}

/** A series of the same shape that has no values yet. */
function gap(point, length) {
  return {labels: point.labels, values: nothing(length)};
}

function nothing(length) {
  return new Array(length).fill(null);
}
