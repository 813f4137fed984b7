/** What a check says of an endpoint, as a page: what is to be done first, then what it is and what it feeds. */

import {absentLine, asSentence, titlesOf} from './absence.js';
import {actionButton, copy, h} from './dom.js';
import {boundedQuantity, duration, format, percent} from './format.js';
import {stateShape} from './marks.js';
import {QUALITY_WORDS} from './panel-details.js';
import {servicePath} from './state.js';

const WEIGHTS = {wrong: ['critical', 'Misleads'], blind: ['degraded', 'Can’t be seen'], cost: ['degraded', 'Costs'], note: ['unknown', 'Note']};
const STATES = {ok: 'ok', todo: 'degraded', 'no-metrics': 'critical', unreachable: 'down'};
const BUCKET_WORDS = {ok: 'good', wide: 'too wide', first: 'below the first edge', beyond: 'above the last edge', cut: 'cut off', empty: 'nothing yet'};
const MAX_EDGES = 24;
/** A longer list of what is lacking is closed at first. */
const MAX_OPEN_GROUPS = 6;

/** @returns {import('./types.js').State} */
export function reportState(report) {
  return STATES[report.state] ?? 'unknown';
}

/**
 * @param {any} report one endpoint, as docs/reference/check.md has it
 * @param {{vocabulary: Map<string, import('./types.js').Signal>, linkTo: (path: string) => string}} context
 * @returns {Element[]}
 */
export function checkReport(report, context) {
  const {todo = [], notes = [], parts = []} = report;
  return [
    part('What to do', todo.length === 0 ? h('p', {class: 'muted'}, 'Nothing.') : h('ol', {class: 'todo'}, todo.map(thing)), 'todo'),
    ...parts.map((one) => partOf(one, context)),
    report.series && seriesPart(report.series),
    notes.length > 0 && part('Worth knowing', h('ul', {class: 'todo'}, notes.map(thing))),
    report.scrape && part('The scrapes', h('p', {}, scrapeText(report.scrape)), 'scrapes'),
  ].filter(Boolean);
}

function part(title, ...children) {
  const name = typeof children.at(-1) === 'string' ? children.pop() : null;
  return h('section', {class: 'part', 'data-part': name}, h('h2', {}, title), children);
}

function thing({id, weight, says, fix, source}) {
  const [state, word] = WEIGHTS[weight] ?? WEIGHTS.note;
  return h('li', {'data-id': id, 'data-weight': weight}, h('p', {}, h('span', {class: 'weight'}, stateShape(state), ` ${word}`), h('span', {class: 'thing-says'}, says)), fix && pasteBlock(fix), source && h('p', {class: 'muted source'}, `Known from ${source}`));
}

/** Lines to paste. */
function pasteBlock(text) {
  return h('div', {class: 'paste'}, h('pre', {tabindex: 0}, h('code', {}, text)), actionButton('Copy', 'Copied', () => copy(text), `Copy: ${text}`));
}

function disclosure(title, isOpen, ...children) {
  return h('details', {class: 'report-more', open: isOpen}, h('summary', {}, title), children);
}

/** What kind of build or setting it is; its name alone where that says it. */
function facetWords({name, value}) {
  return value.toLowerCase().includes(name.toLowerCase()) ? value : `${name} ${value}`;
}

function partOf(one, {vocabulary, linkTo}) {
  const about = [one.version && `${one.version.text}${one.version.exact ? '' : ', as far as can be told'}`, one.model && `model ${one.model}`, ...(one.facets ?? []).map(facetWords)].filter(Boolean);
  const why = [one.version?.because, ...(one.facets ?? []).map((facet) => `${facetWords(facet)}: ${facet.because}`)].filter(Boolean);
  const {feeds = [], lacks = [], never = [], buckets = []} = one;
  return part(
    `${one.engine?.title ?? one.kind}${one.name && one.name !== one.engine?.title ? `, ${one.name}` : ''}`,
    h('p', {}, about.join(' · '), ' ', one.service && h('a', {href: linkTo(servicePath(one.service)), 'data-nav': true}, 'Its page')),
    why.length > 0 && disclosure('How that is known', false, h('ul', {class: 'plain-list'}, why.map((text) => h('li', {}, text)))),
    lacks.length > 0 && disclosure(`What it lacks and could have: ${lacks.reduce((sum, {signals}) => sum + signals.length, 0)} signals`, lacks.length <= MAX_OPEN_GROUPS, h('div', {class: 'absent-list'}, lacks.map((group) => absentLine({...group, key: ''}, titlesOf(group.signals, vocabulary))))),
    buckets.length > 0 && disclosure(`Bucket edges: ${bucketSummary(buckets)}`, buckets.some(({verdict}) => verdict !== 'ok' && verdict !== 'empty'), bucketTable(buckets, vocabulary)),
    disclosure(`Feeds ${feeds.length} signals`, false, feedTable(feeds)),
    never.length > 0 && disclosure(`Has nothing for ${never.length} signals in any release`, false, h('p', {class: 'muted'}, never.map((name) => vocabulary.get(name)?.title ?? name).join(', '))),
    'part',
  );
}

function table(heads, rows) {
  return h('div', {class: 'scroll', tabindex: 0}, h('table', {class: 'values report-table'}, h('thead', {}, h('tr', {}, heads.map((text) => h('th', {scope: 'col'}, text)))), h('tbody', {}, rows)));
}

function feedTable(feeds) {
  const value = ({values = [], unit, reason}) => {
    const first = values[0];
    if (!first) {
      return reason ?? 'no value now';
    }
    const {text, unit: suffix} = boundedQuantity(first.value, unit, first.low ?? undefined, first.low === null ? undefined : first.high);
    return `${text} ${suffix}${values.length > 1 ? `, and ${values.length - 1} more series` : ''}`;
  };
  return table(['Signal', 'Value', 'How'], feeds.map((feed) => h('tr', {}, h('th', {scope: 'row'}, feed.title), h('td', {}, value(feed)), h('td', {title: feed.reason ?? null}, QUALITY_WORDS[feed.quality] ?? feed.quality))));
}

function bucketSummary(buckets) {
  const bad = buckets.filter(({verdict}) => verdict !== 'ok' && verdict !== 'empty').length;
  return bad === 0 ? `${buckets.length} histograms, none hides much` : `${bad} of ${buckets.length} histograms hide what matters`;
}

function bucketTable(buckets, vocabulary) {
  return h(
    'ul',
    {class: 'todo'},
    buckets.map(({signal, verdict, says, fix, since, edges = [], error}) => {
      const {title = signal, unit = 'seconds'} = vocabulary.get(signal) ?? {};
      const shown = edges.slice(0, MAX_EDGES).map((edge) => format(edge, unit)).join(', ') + (edges.length > MAX_EDGES ? ' ...' : '');
      const off = Number.isFinite(error) && error > 0 ? `, off by up to ${percent(Number(error.toPrecision(2)))} %` : '';
      return h('li', {'data-verdict': verdict}, h('p', {}, h('b', {}, title), ` ${BUCKET_WORDS[verdict] ?? verdict}${off}. `, says ?? ''), h('p', {class: 'muted'}, `Edges: ${shown || 'none'}`), fix && pasteBlock(fix), fix && since && h('p', {class: 'muted'}, `Since ${since}`));
    }),
  );
}

function seriesPart(series) {
  const {families = [], labels = [], drop = []} = series;
  const growth = [Number.isFinite(series.samplesPerDay) && `${format(series.samplesPerDay, 'count')} samples a day`, Number.isFinite(series.bytesPerDay) && `${format(series.bytesPerDay, 'bytes')} on disk`].filter(Boolean).join(', about ');
  const familyRows = families.map(({name, series: count, known, needed}) => h('tr', {}, h('th', {scope: 'row'}, h('code', {}, name)), h('td', {}, format(count, 'count')), h('td', {}, needed ? 'feeds signals' : known ? 'known, not read' : 'not known')));
  const labelRows = labels.map(({name, values, series: count}) => h('tr', {}, h('th', {scope: 'row'}, h('code', {}, name)), h('td', {}, format(values, 'count')), h('td', {}, format(count, 'count'))));
  return part(
    `${format(series.total, 'count')} series`,
    growth && h('p', {}, `${growth}, scraped every ${duration(series.intervalSeconds)}.`),
    drop.length > 0 && h('ul', {class: 'plain-list'}, drop.map(({what, series: count, why}) => h('li', {}, h('code', {}, what), ` ${format(count, 'count')} series. ${asSentence(why)}`))),
    series.relabel && pasteBlock(series.relabel),
    familyRows.length > 0 && disclosure('By family', false, table(['Family', 'Series', 'Use'], familyRows)),
    labelRows.length > 0 && disclosure('By label', false, table(['Label', 'Values', 'Series'], labelRows)),
    'series',
  );
}

function scrapeText(scrape) {
  const facts = [
    `${scrape.scrapes} scrapes over ${duration(scrape.apartSeconds ?? 0)}`,
    Number.isFinite(scrape.slowestSeconds) && `the slowest took ${format(scrape.slowestSeconds, 'seconds')}${Number.isFinite(scrape.timeoutSeconds) ? ` of ${duration(scrape.timeoutSeconds)}` : ''}`,
    Number.isFinite(scrape.bytes) && format(scrape.bytes, 'bytes'),
    scrape.contentType,
    scrape.badLines > 0 && `${scrape.badLines} bad lines`,
  ].filter(Boolean);
  return `${facts.join(', ')}.`;
}
