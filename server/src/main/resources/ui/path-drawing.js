/** How a diagnosis was found: the questions of the tree with what was measured, down to where they lead. */

import {h, reconcile, setAttr, setText} from './dom.js';
import {format, undirected} from './format.js';
import {stateShape} from './marks.js';
import {meter, updateMeter} from './meter.js';
import {stateOf} from './verdicts.js';

export class PathDrawing {
  constructor() {
    this.node = h('ol', {class: 'path'});
  }

  /** @param {import('./types.js').Diagnosis} diagnosis */
  show({path, verdicts, state}) {
    const {mark, word} = stateOf(state);
    const steps = path.map((step, i) => ({...step, key: `${i} ${step.question}`}));
    const end = {key: 'end', isEnd: true, mark, text: verdicts[0]?.title ?? word};
    reconcile(
      this.node,
      [...steps, end],
      ({key}) => key,
      (step) => (step.isEnd ? h('li', {class: 'path-end'}) : makeStep()),
      (node, step) => (step.isEnd ? showEnd(node, step) : showStep(node, step)),
    );
  }
}

function makeStep() {
  return h('li', {class: 'path-step'}, h('p', {class: 'question'}), h('p', {class: 'answer'}), h('p', {class: 'measure muted'}, h('span'), ' ', meter()));
}

function showStep(node, {question, answer, value, unit, threshold}) {
  const [asked, answered, measure] = node.children;
  setText(asked, undirected(question));
  setText(answered, undirected(answer));
  setAttr(node, 'data-yes', /^yes\b/i.test(answer));
  // With a threshold of zero there is nothing to compare with.
  measure.hidden = threshold === null || value === null || threshold <= 0 || value < 0;
  // The answer says the numbers, as a rule.
  setText(measure.firstElementChild, measure.hidden || /\d/.test(answer) ? '' : `${format(value, unit ?? '')}, threshold ${format(threshold, unit ?? '')}`);
  updateMeter(measure.lastElementChild, value, threshold);
}

function showEnd(node, {mark, text}) {
  const key = `${mark} ${text}`;
  setAttr(node, 'data-state', mark);
  if (node.dataset.shown !== key) {
    node.dataset.shown = key;
    node.replaceChildren(stateShape(mark), h('strong', {}, text));
  }
}
