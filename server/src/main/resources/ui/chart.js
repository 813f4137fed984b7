/** One chart on a time axis: lines, their bounds as bands, a goal, and a cursor shared with the other charts. */

import uPlot from './vendor/uplot/uPlot.esm.js';
import {h, themeValue} from './dom.js';
import {boundedQuantity, quantity} from './format.js';
import {axisTop, tickLabels, timeLabel, timeTicks, valueTicks} from './ticks.js';

/**
 * @typedef {object} Line
 * @property {string} label
 * @property {string} color name of a custom property, such as `--s1`
 * @property {(number|null)[]} values
 * @property {(number|null)[]} [low]
 * @property {(number|null)[]} [high]
 * @property {(number|null)[]} [counts] how many observations each value stands on
 * @property {boolean} [banded] its bounds are drawn
 * @property {boolean} [edged] its bounds are all there is, so their edges are drawn too
 * @property {boolean} [dashed] an estimate
 *
 * @typedef {object} Picture
 * @property {number[]} times
 * @property {Line[]} lines
 * @property {string} unit
 * @property {number|null} goal
 * @property {string} [goalWord] what the line at `goal` is called
 * @property {import('./types.js').Window} window
 */

const MAX_END_LABELS = 6;
const AXIS_WIDTH = 56;
const FONT = '11px system-ui, sans-serif';
/** What happened is amber; a stretch that is compared with another one is a matter of fact. */
const MARK_COLOURS = {restart: '--line-strong', baseline: '--ink-2', window: '--focus', finding: '--red'};

/** What the charts of a page share: the moment pointed at, and what a drag over any of them means. */
export class CursorGroup {
  /**
   * @param {object} does
   * @param {(time: number|null) => void} does.move the moment pointed at has changed
   * @param {(time: number|null) => void} does.pin a moment was chosen, to stay
   * @param {(from: number, to: number) => void} does.zoom
   */
  constructor(does) {
    this.does = does;
    this.charts = new Set();
    this.pinned = null;
    this.hovered = null;
    /** What happened, to be marked on every chart: stretches of time. @type {{kind: string, start: number, end: number|null, word?: string}[]} */
    this.marks = [];
  }

  /** @returns {number|null} the moment pointed at */
  get time() {
    return this.hovered ?? this.pinned;
  }

  hover(time, source) {
    if (time !== this.hovered) {
      this.hovered = time;
      this.draw(source);
    }
  }

  pin(time) {
    if (time !== this.pinned) {
      this.pinned = time;
      this.draw(null);
    }
  }

  draw(source) {
    this.charts.forEach((chart) => chart !== source && chart.drawCursor());
    this.does.move(this.time);
  }

  /** Moves every chart's axis while a drag pans it. */
  slide(start, end) {
    this.charts.forEach((chart) => chart.visible && chart.plot?.setScale('x', {min: start, max: end}));
  }
}

/** The values at a moment: the sample nearest to it. @returns {number} index, or -1 */
export function nearest(times, time) {
  if (times.length === 0 || time === null) {
    return -1;
  }
  let low = 0;
  let high = times.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (times[middle] <= time) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return time - times[low] <= times[high] - time ? low : high;
}

/** @returns {number} how far the axis reaches: all values, the goal and the bounds where they are near */
function topOf({lines, goal, unit}) {
  let largest = 0;
  let bound = 0;
  for (const line of lines) {
    largest = Math.max(largest, maxOf(line.values));
    largest = line.edged && line.high ? Math.max(largest, maxOf(line.high)) : largest;
    bound = line.banded && line.high ? Math.max(bound, maxOf(line.high)) : bound;
  }
  const withBounds = Math.max(largest, Math.min(bound, largest * 2));
  const withGoal = goal !== null && goal > 0 && goal <= largest * 4 ? Math.max(withBounds, goal * 1.05) : withBounds;
  return axisTop(withGoal, unit);
}

function bottomOf({lines, unit}, top) {
  const least = Math.min(0, ...lines.map((line) => minOf(line.values)));
  return least < 0 ? -axisTop(-least, unit) : Math.min(0, top);
}

function maxOf(values) {
  return values.reduce((max, value) => (value > max ? value : max), 0);
}

function minOf(values) {
  return values.reduce((min, value) => (value !== null && value < min ? value : min), 0);
}

/** Indices of values that stand between gaps, which a line alone wouldn't show. */
function isolated(values) {
  const found = [];
  const has = (i) => values[i] !== null && values[i] !== undefined;
  values.forEach((_, i) => has(i) && !has(i - 1) && !has(i + 1) && found.push(i));
  return found;
}

export class Chart {
  /**
   * @param {HTMLElement} host
   * @param {CursorGroup} group
   * @param {number} height
   * @param {number|null} [labelWidth] room for the names at the lines' ends; the same on all charts that share an axis,
   *     null on a chart that shares none
   */
  constructor(host, group, height, labelWidth = 64) {
    this.labelWidth = labelWidth;
    this.host = host;
    this.group = group;
    this.height = height;
    this.plot = null;
    this.shape = '';
    this.visible = false;
    this.stale = false;
    /** @type {Picture|null} */
    this.picture = null;
    this.resizer = new ResizeObserver(() => this.resize());
    this.resizer.observe(host);
    this.watcher = new IntersectionObserver(([entry]) => this.seen(entry.isIntersecting), {rootMargin: '120px'});
    this.watcher.observe(host);
    group.charts.add(this);
  }

  destroy() {
    this.group.charts.delete(this);
    this.resizer.disconnect();
    this.watcher.disconnect();
    this.plot?.destroy();
    this.plot = null;
  }

  seen(visible) {
    this.visible = visible;
    if (visible && this.stale) {
      this.draw();
    }
  }

  /** @param {Picture} picture */
  show(picture) {
    this.picture = picture;
    this.stale = true;
    if (this.visible) {
      this.draw();
    }
  }

  /** Draws anew in the colours of the theme. */
  repaint() {
    this.shape = '';
    this.stale = true;
    if (this.visible) {
      this.draw();
    }
  }

  draw() {
    if (this.picture === null || this.host.clientWidth === 0) {
      return;
    }
    this.stale = false;
    this.top = topOf(this.picture);
    this.bottom = bottomOf(this.picture, this.top);
    const {data, bands, series, shape} = this.columns();
    if (shape !== this.shape || this.plot === null) {
      this.plot?.destroy();
      this.shape = shape;
      this.plot = new uPlot(this.options(series, bands), data, this.host);
    } else {
      this.plot.batch(() => {
        this.plot.setData(data, false);
        this.plot.setScale('y', {min: this.bottom, max: this.top});
        this.plot.setScale('x', {min: this.picture.window.start, max: this.picture.window.end});
      });
    }
    this.drawCursor();
  }

  /** The picture as uPlot wants it: one column of times, then a column a line and a bound. */
  columns() {
    const {times, lines} = this.picture;
    const data = [times];
    const series = [{}];
    const bands = [];
    const names = [];
    for (const line of lines) {
      const color = themeValue(line.color);
      if (line.banded && line.low && line.high) {
        // Beyond the last finite edge there is no upper bound: the band reaches over the top.
        data.push(line.high.map((high, i) => high ?? (line.low[i] === null ? null : this.top * 2)), line.low.map((low, i) => low ?? (line.high[i] === null ? null : this.bottom)));
        series.push(boundSeries(line.edged ? color : null), boundSeries(line.edged ? color : null));
        bands.push({series: [data.length - 2, data.length - 1], fill: translucent(color)});
      }
      data.push(line.values);
      series.push(lineSeries(line, color, lines.length));
      names.push(`${line.label}${line.color}${line.dashed}${line.banded && Boolean(line.low)}${line.edged}`);
    }
    const labelled = lines.length > 1 && lines.length <= MAX_END_LABELS;
    return {data, series, bands, shape: `${names.join('\n')}|${labelled}|${this.picture.unit}`};
  }

  options(series, bands) {
    const grid = {stroke: themeValue('--grid'), width: 1};
    const axis = {stroke: themeValue('--ink-2'), font: FONT, grid, ticks: {show: false}};
    return {
      width: this.host.clientWidth,
      height: this.height,
      padding: [8, this.room(), 0, 0],
      legend: {show: false},
      series,
      bands,
      scales: {
        x: {time: true, auto: false, range: (u, min, max) => [min ?? this.picture.window.start, max ?? this.picture.window.end]},
        y: {range: () => [this.bottom, this.top]},
      },
      axes: [
        {...axis, grid: {...grid, show: false}, size: 22, gap: 4, splits: (u, _, min, max) => this.timeSplits(min, max), values: (_, times) => times.map((time) => timeLabel(time, this.timeStep))},
        {...axis, size: AXIS_WIDTH, gap: 6, splits: (u, _, min, max) => valueTicks(min, max, this.picture.unit, 4), values: (_, ticks) => tickLabels(ticks, this.picture.unit)},
      ],
      cursor: this.cursorOptions(),
      hooks: {
        ready: [(u) => u.over.addEventListener('click', () => this.group.does.pin(this.timeAt(u)))],
        setCursor: [(u) => this.moved(u)],
        setSelect: [(u) => this.selected(u)],
        drawClear: [(u) => this.drawMarks(u)],
        draw: [(u) => this.drawGoal(u), (u) => this.drawEndLabels(u)],
      },
    };
  }

  timeSplits(min, max) {
    const {step, times} = timeTicks(min, max, Math.max(2, this.host.clientWidth / 90));
    this.timeStep = step;
    return times;
  }

  cursorOptions() {
    return {
      y: false,
      // Bounds have no line and so no point on it.
      points: {size: (u, i) => (u.series[i].width === 0 ? 0 : 5), width: (u, i, size) => (size === 0 ? 0 : 1)},
      drag: {x: true, y: false, setScale: false, dist: 4},
      bind: {
        mousedown: (u, _, pass) => (event) => (event.shiftKey ? this.pan(u, event) : pass(event)),
        dblclick: () => () => null,
      },
    };
  }

  timeAt(u) {
    return u.cursor.left === undefined || u.cursor.left < 0 || u.cursor.idx === null ? null : u.data[0][u.cursor.idx] ?? null;
  }

  moved(u) {
    if (u.cursor.event) {
      this.group.hover(this.timeAt(u), this);
    }
  }

  selected(u) {
    if (u.select.width > 4) {
      const from = u.posToVal(u.select.left, 'x');
      const to = u.posToVal(u.select.left + u.select.width, 'x');
      u.setSelect({left: 0, top: 0, width: 0, height: 0}, false);
      this.group.does.zoom(from, to);
    }
  }

  pan(u, event) {
    const {start, end} = this.picture.window;
    const perPixel = (end - start) / u.over.clientWidth;
    let shift = 0;
    const move = (moving) => {
      shift = (event.clientX - moving.clientX) * perPixel;
      this.group.slide(start + shift, end + shift);
    };
    const up = () => {
      window.removeEventListener('mousemove', move);
      this.group.does.zoom(start + shift, end + shift);
    };
    window.addEventListener('mousemove', move);
    window.addEventListener('mouseup', up, {once: true});
  }

  drawCursor() {
    const {plot, group} = this;
    if (plot === null) {
      return;
    }
    const time = group.time;
    const inside = time !== null && time >= this.picture.window.start && time <= this.picture.window.end;
    plot.setCursor({left: inside ? plot.valToPos(time, 'x') : -10, top: inside ? 1 : -10}, false);
  }

  resize() {
    const width = this.host.clientWidth;
    if (this.plot && width > 0 && width !== this.plot.width) {
      this.plot.setSize({width, height: this.height});
      this.drawCursor();
    } else if (this.visible && this.stale) {
      this.draw();
    }
  }

  /** What happened lies under the curves: a line where it began, a wash while it lasted. */
  drawMarks(u) {
    const {start, end} = this.picture.window;
    const {ctx, bbox} = u;
    const x = (time) => Math.round(u.valToPos(Math.min(end, Math.max(start, time)), 'x', true));
    for (const mark of this.group.marks.filter((one) => one.start <= end && (one.end ?? end) >= start)) {
      const color = themeValue(MARK_COLOURS[mark.kind] ?? '--amber');
      const [from, to] = [x(mark.start), x(mark.end ?? end)];
      ctx.save();
      ctx.fillStyle = color;
      if (mark.word) {
        ctx.font = scaledFont();
        ctx.textBaseline = 'bottom';
        ctx.globalAlpha = 1;
        ctx.fillText(fitted(ctx, mark.word, to - from - 8 * uPlot.pxRatio), from + 4 * uPlot.pxRatio, bbox.top + bbox.height - 2 * uPlot.pxRatio);
      }
      // A finding has its bar above the charts; on them it is the line where it began.
      ctx.globalAlpha = mark.kind === 'finding' ? 0 : 0.1;
      ctx.fillRect(from, bbox.top, to - from, bbox.height);
      ctx.globalAlpha = 0.9;
      if (mark.start >= start && mark.word === undefined) {
        ctx.fillRect(from, bbox.top, uPlot.pxRatio, bbox.height);
      }
      ctx.restore();
    }
  }

  drawGoal(u) {
    const {goal, unit} = this.picture;
    if (goal === null || goal === undefined) {
      return;
    }
    const ctx = u.ctx;
    const above = goal > this.top;
    const y = above ? u.bbox.top : u.valToPos(goal, 'y', true);
    ctx.save();
    ctx.strokeStyle = themeValue('--goal');
    ctx.fillStyle = themeValue('--ink-2');
    ctx.font = scaledFont();
    ctx.textAlign = 'left';
    if (!above) {
      ctx.lineWidth = uPlot.pxRatio;
      ctx.setLineDash([2 * uPlot.pxRatio, 3 * uPlot.pxRatio]);
      ctx.beginPath();
      ctx.moveTo(u.bbox.left, y);
      ctx.lineTo(u.bbox.left + u.bbox.width, y);
      ctx.stroke();
    }
    const {text, unit: suffix} = quantity(goal, unit);
    const tight = y - u.bbox.top < 16 * uPlot.pxRatio;
    ctx.textBaseline = tight ? 'top' : 'bottom';
    this.labelOnGround(ctx, `${this.picture.goalWord ?? 'goal'} ${text} ${suffix}${above ? ' ↑' : ''}`, u.bbox.left + 4 * uPlot.pxRatio, y + (tight ? 3 : -2) * uPlot.pxRatio, tight);
    ctx.restore();
  }

  /** A chart that stands alone gives room to names only if it has some. */
  room() {
    const {length} = this.picture.lines;
    return this.labelWidth ?? (length > 1 && length <= MAX_END_LABELS ? Math.min(120, this.host.clientWidth / 4) : 12);
  }

  /** Text that stays readable where a line runs behind it. */
  labelOnGround(ctx, text, x, y, below) {
    const height = 13 * uPlot.pxRatio;
    const ink = ctx.fillStyle;
    ctx.globalAlpha = 0.75;
    ctx.fillStyle = themeValue('--bg');
    ctx.fillRect(x - 2, below ? y - 1 : y - height, ctx.measureText(text).width + 4, height);
    ctx.globalAlpha = 1;
    ctx.fillStyle = ink;
    ctx.fillText(text, x, y);
  }

  /** Names at the ends of the lines, pushed apart where they would overlap. */
  drawEndLabels(u) {
    const {lines} = this.picture;
    if (lines.length < 2 || lines.length > MAX_END_LABELS) {
      return;
    }
    const ratio = uPlot.pxRatio;
    const ends = lines.map((line) => ({line, value: lastOf(line.values)})).filter(({value}) => value !== null);
    const placed = ends.map(({line, value}) => ({line, y: u.valToPos(Math.min(value, this.top), 'y', true)})).sort((a, b) => a.y - b.y);
    spread(placed, 13 * ratio, u.bbox.top + 6 * ratio, u.bbox.top + u.bbox.height - 4 * ratio);
    const x = u.bbox.left + u.bbox.width;
    u.ctx.save();
    u.ctx.font = scaledFont();
    u.ctx.textAlign = 'left';
    u.ctx.textBaseline = 'middle';
    for (const {line, y} of placed) {
      u.ctx.fillStyle = themeValue(line.color);
      u.ctx.fillRect(x + 3 * ratio, y - ratio, 5 * ratio, 2 * ratio);
      u.ctx.fillStyle = themeValue('--ink-1');
      u.ctx.fillText(fitted(u.ctx, line.label, (this.room() - 12) * ratio), x + 11 * ratio, y);
    }
    u.ctx.restore();
  }
}

function spread(placed, gap, top, bottom) {
  let above = -Infinity;
  for (const label of placed) {
    label.y = Math.max(label.y, above + gap, top);
    above = label.y;
  }
  let below = bottom + gap;
  for (const label of placed.reverse()) {
    label.y = Math.min(label.y, below - gap);
    below = label.y;
  }
}

/** As much of a label as there is room for, its beginning and its end. */
function fitted(ctx, label, room) {
  let text = label;
  for (let kept = Math.min(label.length - 1, 40); kept > 1 && ctx.measureText(text).width > room; kept--) {
    text = `${label.slice(0, Math.ceil(kept / 2))}…${label.slice(label.length - Math.floor(kept / 2))}`;
  }
  return text;
}

function lastOf(values) {
  for (let i = values.length - 1; i >= 0; i--) {
    if (values[i] !== null && values[i] !== undefined) {
      return values[i];
    }
  }
  return null;
}

function scaledFont() {
  return FONT.replace('11px', `${11 * uPlot.pxRatio}px`);
}

/** Bounds stand still between samples, so their edges are steps. */
function boundSeries(color) {
  return {stroke: color, width: color === null ? 0 : 1, points: {show: false}, paths: uPlot.paths.stepped({align: 1})};
}

function lineSeries(line, color, count) {
  return {
    stroke: color,
    width: count > MAX_END_LABELS ? 1 : 1.5,
    dash: line.dashed ? [5, 3] : undefined,
    spanGaps: false,
    points: {show: false, size: 3, fill: color, filter: (u, index) => isolated(u.data[index])},
  };
}

/** @param {string} color as `#rrggbb` */
function translucent(color) {
  return `${color}22`;
}

/** @returns {HTMLElement} the picture as a table: a row a moment, newest first */
export function pictureTable({times, lines, unit}, clock) {
  const rows = times
    .map((time, i) => h('tr', {}, h('th', {scope: 'row'}, clock(time)), lines.map((line) => h('td', {}, cell(line, i, unit)))))
    .reverse();
  const head = h('tr', {}, h('th', {scope: 'col'}, 'Time'), lines.map((line) => h('th', {scope: 'col'}, line.label)));
  return h('table', {class: 'values'}, h('thead', {}, head), h('tbody', {}, rows));
}

function cell(line, i, unit) {
  const {text, unit: suffix} = boundedQuantity(line.values[i], unit, line.low?.[i], line.high?.[i]);
  return `${text} ${suffix}`.trim();
}

/** @returns {string} the picture as CSV in base units, quoted as RFC 4180 says; bounds follow their value */
export function pictureCsv({times, lines}) {
  const quote = (text) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const guard = (text) => (/^[=+\-@\t]/.test(text) ? `'${text}` : text);
  const columns = lines.flatMap((line) => [[line.label, line.values], line.low && [`${line.label} low`, line.low], line.high && [`${line.label} high`, line.high]].filter(Boolean));
  const head = ['time', ...columns.map(([label]) => quote(guard(label)))].join(',');
  const rows = times.map((time, i) => [new Date(time * 1000).toISOString(), ...columns.map(([, values]) => values[i] ?? '')].join(','));
  return [head, ...rows, ''].join('\r\n');
}
