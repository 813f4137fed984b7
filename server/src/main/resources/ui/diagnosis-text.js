/** A diagnosis as Markdown, for a ticket. */

import {format, moment} from './format.js';
import {byLayer, effectWords, inOrder, layerWord, scopeWords, signalTitle, stateOf, sureness} from './verdicts.js';

/**
 * @param {import('./types.js').Diagnosis} diagnosis
 * @param {{name: string, url: string, vocabulary: Map<string, import('./types.js').Signal>, titleOf: (cause: string) => string}} about
 * @returns {string}
 */
export function markdown(diagnosis, {name, url, vocabulary, titleOf}) {
  const {window, baseline} = diagnosis;
  const placed = inOrder(diagnosis.verdicts);
  const lines = [
    `## ${escaped(name)}: ${stateOf(diagnosis.state).word.toLowerCase()}`,
    '',
    escaped(diagnosis.summary),
    '',
    `Window ${moment(window.start)} to ${moment(window.end)}${baseline === null ? '' : `, compared with ${moment(baseline.start)} to ${moment(baseline.end)}`}. ${url}`,
    ...placed.flatMap((one) => verdictLines(one, vocabulary)),
    ...listed('How it was found', diagnosis.path.map(({question, answer}) => `${escaped(question)} ${escaped(answer)}`)),
    ...listed('What changed', diagnosis.changes.map(({says}) => escaped(says))),
    ...listed('Ruled out', diagnosis.ruledOut.filter(({unknown}) => !unknown).map(({cause, because}) => `${escaped(titleOf(cause))}: ${escaped(because)}`)),
    ...listed('Can’t be told', diagnosis.ruledOut.filter(({unknown}) => unknown).map(({cause, because}) => `${escaped(titleOf(cause))}: ${escaped(because)}`)),
    ...listed('Telemetry', diagnosis.telemetry.map(({says}) => escaped(says))),
  ];
  return `${lines.join('\n')}\n`;
}

function verdictLines({verdict, from}, vocabulary) {
  const where = scopeWords(verdict.scope);
  const cost = effectWords(verdict.effect, vocabulary);
  const row = ({layer, signal, of, value, unit, baseline, threshold, says}) =>
    `| ${[layerWord(layer), [signalTitle(signal, vocabulary), of].filter(Boolean).join(', '), format(value, unit), baseline === null ? '' : format(baseline, unit), threshold === null ? '' : format(threshold, unit), says].map(escaped).join(' | ')} |`;
  const evidence = (list) => ['| layer | what | now | before | threshold | |', '|---|---|---|---|---|---|', ...byLayer(list).map(row)];
  return [
    '',
    `### ${escaped(verdict.title)}`,
    '',
    [from && `Follows from ${escaped(from.title)}.`, escaped(verdict.says)].filter(Boolean).join(' '),
    '',
    `Confidence ${verdict.confidence.toFixed(2)}, ${sureness(verdict.confidence)}${where ? `; on ${escaped(where)}` : ''}${verdict.onset === null ? '' : `; since ${moment(verdict.onset)}`}${cost ? `; ${escaped(cost)}` : ''}.`,
    '',
    ...evidence(verdict.evidence),
    ...(verdict.against.length > 0 ? ['', 'Against it:', '', ...evidence(verdict.against)] : []),
    ...listed('What to do', verdict.next.map(({action, why, expect, risk, confirm}) => [escaped(action), escaped(why), expect && `Expect: ${escaped(expect)}`, risk && `Risk: ${escaped(risk)}`, confirm && `Confirm: \`${confirm.replaceAll('`', "'")}\``].filter(Boolean).join(' '))),
  ];
}

function listed(title, entries) {
  return entries.length === 0 ? [] : ['', `**${title}**`, '', ...entries.map((entry) => `- ${entry}`)];
}

/** What data calls itself mustn't become markup in the ticket either. */
function escaped(text) {
  return text.replaceAll(/[\\`*_{}[\]<>|#]/g, '\\$&').replaceAll(/\s*\n\s*/g, ' ');
}
