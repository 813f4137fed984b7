/**
 * Cuts PromQL into tokens, as far as colours and offers need it. It takes anything, also what is wrong or unfinished:
 * whether a query is right is for the server to say.
 */

/**
 * @typedef {'comment'|'string'|'number'|'duration'|'metric'|'label'|'function'|'aggregation'|'keyword'|'operator'|'mark'|'other'} TokenKind
 *
 * @typedef {object} Token
 * @property {TokenKind} kind
 * @property {number} from index of its first UTF-16 unit
 * @property {number} to index behind its last
 * @property {string} text
 * @property {boolean} [open] a string without its closing quote
 *
 * @typedef {object} Typed what is being typed at the caret
 * @property {'operand'|'operator'|'label'|'grouping'|'value'|'duration'} kind
 * @property {string} word what stands there already, without quotes and escapes
 * @property {number} from where the word starts in the text
 * @property {string[]} selectors whose series can be meant, as PromQL; empty if all can
 * @property {string} label of a value
 * @property {string} operator before a value
 * @property {string} quote around a value
 */

export const AGGREGATIONS = words('sum avg min max count group stddev stdvar topk bottomk quantile count_values limitk limit_ratio');
export const GROUPINGS = words('by without on ignoring group_left group_right');
export const KEYWORDS = new Set([...GROUPINGS, ...words('and or unless atan2 bool offset fill fill_left fill_right anchored smoothed')]);

/** The most selectors that a list of labels is asked for. */
const MAX_SELECTORS = 5;

const BLANK = /\s+/y;
const COMMENT = /#[^\n]*/y;
const STRINGS = {'"': /"(?:[^"\\\n]|\\.)*"?/y, "'": /'(?:[^'\\\n]|\\.)*'?/y, '`': /`[^`]*`?/y};
const DURATION = /(?:\d+(?:ms|[smhdwy]))+(?!\w)/y;
const NUMBER = /0[xX][\da-fA-F_]*|(?:\d[\d_]*\.?[\d_]*|\.\d[\d_]*)(?:[eE][+-]?\d*)?/y;
const WORD = /[A-Za-z_:][\w:]*/y;
const OPERATOR = /=~|!~|==|!=|<=|>=|<\/|>\/|[-+*/%^@=<>!]/y;
const MARK = /[(){}[\],:]/y;
const PAREN_FOLLOWS = /\s*\(/y;
const GROUPING_FOLLOWS = /\s*(?:\(|by\b|without\b)/iy;

const CLOSING = {')': '(', '}': '{', ']': '['};

function words(text) {
  return new Set(text.split(' '));
}

/**
 * @param {string} text
 * @returns {Token[]} in order; blanks are left out
 */
export function tokenize(text) {
  return new Scanner(text).all();
}

/** Goes through the text once, knowing what is open around the place. */
class Scanner {
  constructor(text) {
    this.text = text;
    this.at = 0;
    /** @type {Token[]} */
    this.tokens = [];
    /** @type {{mark: string, index: number, grouping: boolean}[]} */
    this.open = [];
  }

  all() {
    while (this.at < this.text.length) {
      if (this.match(BLANK) === null) {
        this.one();
      }
    }
    return this.tokens;
  }

  match(pattern) {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text);
    if (found !== null) {
      this.at += found[0].length;
    }
    return found;
  }

  follows(pattern) {
    pattern.lastIndex = this.at;
    return pattern.test(this.text);
  }

  one() {
    const from = this.at;
    const c = this.text[from];
    const inBrackets = this.inside('[');
    if (STRINGS[c]) {
      this.match(STRINGS[c]);
      this.add('string', from, {open: this.at - from < 2 || !closed(this.text.slice(from, this.at), c)});
    } else if (c === '#' && this.match(COMMENT)) {
      this.add('comment', from);
    } else if (!inBrackets && this.match(WORD)) {
      this.add(this.kindOf(this.text.slice(from, this.at)), from);
    } else if (this.match(DURATION)) {
      this.add('duration', from);
    } else if (this.match(NUMBER)) {
      this.add(inBrackets ? 'duration' : 'number', from);
    } else if (this.match(MARK)) {
      this.mark(c);
      this.add('mark', from);
    } else if (this.match(OPERATOR)) {
      this.add('operator', from);
    } else if (this.match(WORD)) {
      this.add('function', from);
    } else {
      this.at += String.fromCodePoint(this.text.codePointAt(from)).length;
      this.add('other', from);
    }
  }

  inside(mark) {
    return this.open.at(-1)?.mark === mark;
  }

  add(kind, from, more) {
    this.tokens.push({kind, from, to: this.at, text: this.text.slice(from, this.at), ...more});
  }

  mark(c) {
    if (c === '(' || c === '{' || c === '[') {
      const before = this.tokens.at(-1);
      const grouping = c === '(' && before?.kind === 'keyword' && GROUPINGS.has(before.text.toLowerCase());
      this.open.push({mark: c, index: this.tokens.length, grouping});
    } else if (CLOSING[c] && this.inside(CLOSING[c])) {
      this.open.pop();
    }
  }

  /** @returns {TokenKind} what a word is, from what stands around it */
  kindOf(word) {
    const lower = word.toLowerCase();
    if (this.inside('{') || this.open.at(-1)?.grouping) {
      return 'label';
    }
    if (KEYWORDS.has(lower)) {
      return 'keyword';
    }
    if (AGGREGATIONS.has(lower) && this.follows(GROUPING_FOLLOWS)) {
      return 'aggregation';
    }
    if (this.follows(PAREN_FOLLOWS)) {
      return 'function';
    }
    return lower === 'inf' || lower === 'nan' ? 'number' : 'metric';
  }
}

/** Whether a string literal ends with its quote, not with an escaped one. */
function closed(literal, quote) {
  if (!literal.endsWith(quote)) {
    return false;
  }
  const slashes = /\\*$/.exec(literal.slice(1, -1))[0].length;
  return quote === '`' || slashes % 2 === 0;
}

/**
 * What is being typed at the caret, or null where nothing can be offered.
 *
 * @param {string} text the whole query
 * @param {number} caret
 * @returns {Typed|null}
 */
export function typedAt(text, caret) {
  const scanner = new Scanner(text.slice(0, caret));
  const tokens = scanner.all();
  const last = tokens.at(-1);
  if (last?.to === caret && last.kind === 'comment') {
    return null;
  }
  const place = scanner.open.at(-1);
  const inBraces = place?.mark === '{';
  if (last?.to === caret && last.kind === 'string') {
    return last.open && inBraces ? typedValue(text, caret, tokens, place.index) : null;
  }
  const word = last?.to === caret && isWord(last) ? last : null;
  const before = word === null ? last : tokens.at(-2);
  const typed = {word: word?.text ?? '', from: word?.from ?? caret, selectors: [], label: '', operator: '', quote: ''};
  if (inBraces) {
    return isOneOf(before, '{', ',') ? {...typed, kind: 'label', selectors: around(text, caret, tokens, place.index)} : null;
  }
  if (place?.grouping) {
    return isOneOf(before, '(', ',') ? {...typed, kind: 'grouping', selectors: selectorsOf(text)} : null;
  }
  if (place?.mark === '[' || isOffset(before)) {
    return {...typed, kind: 'duration'};
  }
  if (word !== null && word.kind === 'duration') {
    return null;
  }
  return {...typed, kind: endsOperand(before) ? 'operator' : 'operand'};
}

function isWord({kind}) {
  return ['metric', 'label', 'function', 'aggregation', 'keyword', 'duration'].includes(kind);
}

function isOneOf(token, ...marks) {
  return token !== undefined && token.kind === 'mark' && marks.includes(token.text);
}

function isOffset(token) {
  return token?.kind === 'keyword' && token.text.toLowerCase() === 'offset';
}

function endsOperand(token) {
  return token !== undefined && (['metric', 'number', 'string', 'duration'].includes(token.kind) || isOneOf(token, ')', '}', ']'));
}

/** @returns {Typed|null} the value of a label that is being typed, if it is one */
function typedValue(text, caret, tokens, brace) {
  const [label, operator, value] = tokens.slice(-3);
  if (tokens.length - brace < 4 || operator.kind !== 'operator' || !/^(?:=~|!~|!=|=)$/.test(operator.text)) {
    return null;
  }
  const quote = value.text[0];
  const isRegex = operator.text.endsWith('~');
  const content = value.text.slice(1);
  const from = value.from + 1 + (isRegex ? lastAlternative(content) : 0);
  return {
    kind: 'value',
    word: unescaped(text.slice(from, caret), quote),
    from,
    selectors: around(text, caret, tokens.slice(0, -3), brace, quote),
    label: nameOf(label),
    operator: operator.text,
    quote,
  };
}

function lastAlternative(content) {
  return Math.max(content.lastIndexOf('|'), content.lastIndexOf('(')) + 1;
}

/** A label's name, which may be quoted. */
function nameOf(token) {
  return token.kind === 'string' ? unescaped(token.text.slice(1, -1), token.text[0]) : token.text;
}

function unescaped(content, quote) {
  return quote === '`' ? content : content.replace(/\\(.)/g, (_, c) => ({n: '\n', t: '\t'})[c] ?? c);
}

/**
 * The selector around the caret, without the matcher that is being typed.
 *
 * @param {string} [quote] the caret stands in a string of this quote
 * @returns {string[]} none if every series can be meant
 */
function around(text, caret, tokens, brace, quote = '') {
  const rest = text.slice(caret);
  const end = quote === '' ? 0 : rest.split('\n', 1)[0].indexOf(quote) + 1;
  const after = tokenize(`{${rest.slice(end)}`);
  const next = after.findIndex((token) => isOneOf(token, ',', '}'));
  const close = after.findIndex((token) => isOneOf(token, '}'));
  const later = close < 0 ? [] : matchersOf(after.slice(next, close));
  const name = tokens[brace - 1]?.kind === 'metric' ? tokens[brace - 1].text : '';
  return written(name, [...matchersOf(tokens.slice(brace + 1)), ...later]);
}

/** Complete matchers among the tokens between braces. */
function matchersOf(tokens) {
  const found = [];
  for (let i = 0; i < tokens.length; i++) {
    const [label, operator, value] = tokens.slice(i, i + 3);
    if (value?.kind === 'string' && !value.open && operator.kind === 'operator' && (label.kind === 'label' || label.kind === 'string')) {
      found.push(`${label.text}${operator.text}${value.text}`);
      i += 2;
    } else if (label.kind === 'string' && !label.open) {
      found.push(label.text);
    }
  }
  return found;
}

function written(name, matchers) {
  if (matchers.length === 0) {
    return name === '' ? [] : [name];
  }
  return [`${name}{${matchers.join(',')}}`];
}

/**
 * @param {string} text
 * @returns {string[]} the selectors of a query, each once, the first few
 */
export function selectorsOf(text) {
  const tokens = tokenize(text);
  const found = new Set();
  tokens.forEach((token, i) => {
    const opens = isOneOf(token, '{');
    if (opens || (token.kind === 'metric' && !isOneOf(tokens[i + 1], '{'))) {
      const close = opens ? tokens.findIndex((other, at) => at > i && isOneOf(other, '}')) : i + 1;
      const name = opens ? (tokens[i - 1]?.kind === 'metric' ? tokens[i - 1].text : '') : token.text;
      written(name, close < 0 ? [] : matchersOf(tokens.slice(i + 1, close))).forEach((selector) => found.size < MAX_SELECTORS && found.add(selector));
    }
  });
  return [...found];
}
