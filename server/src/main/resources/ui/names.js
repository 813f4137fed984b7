/** Titles and names: what several have in common, and what tells them apart. */

/**
 * What the titles of several signals have in common, and what is left of each: "Time to first token" and "P50", "P95".
 *
 * @param {string[]} titles
 * @returns {{title: string, labels: string[]}}
 */
export function commonTitle(titles) {
  if (titles.length === 1) {
    return {title: titles[0], labels: ['']};
  }
  const words = titles.map((title) => title.split(' '));
  const longest = Math.max(...words.map((list) => list.length)) - 1;
  const plain = (word) => word?.replace(/,$/, '');
  let shared = 0;
  while (shared < longest && words.every((list) => plain(list[shared]) === plain(words[0][shared]))) {
    shared += 1;
  }
  return shared === 0 ? commonEnd(titles) : {title: bare(words[0].slice(0, shared)), labels: words.map((list) => list.slice(shared).join(' ') || 'all')};
}

/** "Running requests" and "Waiting requests" are "Requests", "Running" and "Waiting". */
function commonEnd(titles) {
  const words = titles.map((title) => title.split(' '));
  let shared = 0;
  while (words.every((list) => shared < list.length - 1 && list.at(-1 - shared) === words[0].at(-1 - shared))) {
    shared += 1;
  }
  if (shared === 0) {
    return {title: titles.join(' · '), labels: titles};
  }
  const title = words[0].slice(-shared).join(' ');
  return {title: title[0].toUpperCase() + title.slice(1), labels: words.map((list) => list.slice(0, -shared).join(' '))};
}

function bare(words) {
  return words.join(' ').replace(/[,:]$/, '');
}

/**
 * Names of series: the shortest label that tells them all apart, else those in which they differ.
 *
 * @param {Record<string, string>[]} all
 * @returns {string[]}
 */
export function seriesNames(all) {
  if (all.length < 2 && Object.keys(all[0] ?? {}).length === 0) {
    return all.map(() => '');
  }
  const keys = [...new Set(all.flatMap(Object.keys))];
  const differing = all.length === 1 ? keys : keys.filter((key) => all.some((labels) => labels[key] !== all[0][key]));
  const telling = differing
    .filter((key) => new Set(all.map((labels) => labels[key])).size === all.length)
    .sort((a, b) => lengthOf(all, a) - lengthOf(all, b));
  const chosen = telling.length > 0 ? telling.slice(0, 1) : differing;
  const nameOf = (labels) => {
    const pairs = chosen.filter((key) => labels[key]).map((key) => [key, labels[key]]);
    if (pairs.length === 1) {
      const [key, value] = pairs[0];
      return /^\d+$/.test(value) ? `${key} ${value}` : value;
    }
    return pairs.map(([, value]) => value).join(' ');
  };
  return all.map(nameOf);
}

function lengthOf(all, key) {
  return all.reduce((sum, labels) => sum + (labels[key]?.length ?? 0), 0);
}
