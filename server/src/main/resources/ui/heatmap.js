/** A heat map of a histogram over time, drawn on a canvas: time to the right, bounds upwards, colour for how many. */

import {nearest} from './chart.js';
import {h, setAttr, setText, themeValue} from './dom.js';
import {format, moment} from './format.js';
import {BoundScale, boundTicks, boundsText, extremes, worthShowing} from './histograms.js';
import {tickLabels, timeLabel, timeTicks} from './ticks.js';

/**
 * From little to much, by theme; lightness grows or falls evenly, so both read the same for all eyes and in grey. The
 * dark one is Cividis at its quarters; the light one goes the other way and begins near the ground.
 */
const STOPS = {
  dark: [
    [0, 34, 78],
    [59, 73, 108],
    [112, 113, 115],
    [166, 157, 117],
    [254, 232, 56],
  ],
  light: [
    [250, 240, 196],
    [216, 199, 120],
    [150, 144, 117],
    [84, 92, 112],
    [0, 34, 78],
  ],
};
/** As wide as the axis of a chart, so that their times lie one above the other. */
const AXIS_WIDTH = 56;
const AXIS_HEIGHT = 22;
const TOP = 8;
const RIGHT = 12;
const FONT = '11px system-ui, sans-serif';
const MIN_DRAG = 5;
const MIN_TICK_GAP = 16;
const LEVELS = 256;

/**
 * @typedef {object} HeatPicture
 * @property {number[]} times
 * @property {(import('./histograms.js').Bucket[]|null)[]} columns
 * @property {string} unit of the bounds
 * @property {import('./types.js').Window} window
 * @property {(count: number) => string} [counted] a bucket's count in words
 * @property {string} [legend] what the colours count
 */

/**
 * @param {number} share 0 to 1
 * @param {'light'|'dark'} theme
 * @returns {number[]} red, green, blue
 */
function heatRgb(share, theme) {
  const stops = STOPS[theme];
  const at = share * (stops.length - 1);
  const i = Math.min(stops.length - 2, Math.floor(at));
  return stops[i].map((value, channel) => Math.round(value + (stops[i + 1][channel] - value) * (at - i)));
}

/** The same as CSS has it. */
export function heatColor(share, theme) {
  return `rgb(${heatRgb(share, theme).join(' ')})`;
}

/** All colours of a theme from little to much. */
const palette = (theme) => Array.from({length: LEVELS}, (_, i) => heatRgb(i / (LEVELS - 1), theme));

/** Where a count lies on the colour scale: its root, so that few are still told from none beside many. */
export function heatShare(count, most) {
  return most > 0 ? Math.sqrt(Math.min(1, count / most)) : 0;
}

export class HeatMap {
  /**
   * @param {HTMLElement} host
   * @param {import('./chart.js').CursorGroup} group
   * @param {number} height
   */
  constructor(host, group, height) {
    this.host = host;
    this.group = group;
    this.height = height;
    /** @type {HeatPicture|null} */
    this.picture = null;
    this.at = null;
    this.drag = null;
    this.build();
    this.resizer = new ResizeObserver(() => this.draw());
    this.resizer.observe(this.canvasBox);
    group.charts.add(this);
  }

  build() {
    this.canvas = h('canvas', {class: 'heat-canvas'});
    this.line = h('div', {class: 'heat-cursor', hidden: true});
    this.selection = h('div', {class: 'heat-selection', hidden: true});
    this.tip = h('div', {class: 'heat-tip', hidden: true});
    this.canvasBox = h('div', {class: 'heat-box', tabindex: 0, role: 'application', 'aria-roledescription': 'heat map'}, this.canvas, this.line, this.selection, this.tip);
    this.said = h('p', {class: 'visually-hidden', 'aria-live': 'polite'});
    this.scaleLine = h('p', {class: 'heat-scale muted'});
    this.host.replaceChildren(this.canvasBox, this.scaleLine, this.said);
    this.canvasBox.style.setProperty('height', `${this.height}px`);
    this.canvasBox.addEventListener('pointermove', (event) => this.moved(event));
    this.canvasBox.addEventListener('pointerleave', () => this.left());
    this.canvasBox.addEventListener('pointerdown', (event) => this.pressed(event));
    this.canvasBox.addEventListener('pointerup', (event) => this.released(event));
    this.canvasBox.addEventListener('pointercancel', () => this.endDrag());
    this.canvasBox.addEventListener('keydown', (event) => this.key(event));
    this.canvasBox.addEventListener('blur', () => this.point(null));
  }

  destroy() {
    this.group.charts.delete(this);
    this.resizer.disconnect();
    this.host.replaceChildren();
  }

  /** @param {HeatPicture} picture */
  show(picture) {
    this.picture = picture;
    this.buckets = worthShowing(distinct(picture.columns));
    this.scale = new BoundScale(this.buckets);
    this.extremes = extremes(picture.columns);
    this.point(null);
    this.draw();
    this.showScale();
    setAttr(this.canvasBox, 'aria-label', this.summary());
  }

  summary() {
    const {unit, window} = this.picture;
    return `Heat map from ${moment(window.start)} to ${moment(window.end)}, bounds up to ${format(this.highest(), unit)}, at most ${format(this.extremes.most, 'count')} in a bucket. The arrow keys go through the cells.`;
  }

  highest() {
    return this.buckets.reduce((most, {low, high}) => Math.max(most, Number.isFinite(high) ? high : low), 0);
  }

  get theme() {
    return document.documentElement.dataset.theme === 'dark' ? 'dark' : 'light';
  }

  repaint() {
    this.draw();
    this.showScale();
  }

  /** The colours with what they stand for: none, a quarter and the most, since the scale goes by roots. */
  showScale() {
    const {most} = this.extremes;
    const bar = (from) => {
      const colours = [0, 1, 2].map((i) => heatColor(from + i / 4, this.theme));
      return h('span', {class: 'heat-bar', style: {background: `linear-gradient(to right, ${colours.join(', ')})`}});
    };
    this.scaleLine.replaceChildren('0', bar(0), format(most / 4, 'count'), bar(0.5), format(most, 'count'), h('span', {}, this.picture.legend ?? 'in a bucket'));
  }

  get inner() {
    return {left: AXIS_WIDTH, top: TOP, width: Math.max(1, this.canvasBox.clientWidth - AXIS_WIDTH - RIGHT), height: this.height - TOP - AXIS_HEIGHT};
  }

  xOf(time) {
    const {start, end} = this.picture.window;
    const {left, width} = this.inner;
    return left + ((time - start) / (end - start)) * width;
  }

  timeOf(x) {
    const {start, end} = this.picture.window;
    const {left, width} = this.inner;
    return start + Math.min(1, Math.max(0, (x - left) / width)) * (end - start);
  }

  draw() {
    const width = this.canvasBox.clientWidth;
    if (this.picture === null || width === 0) {
      return;
    }
    const ratio = window.devicePixelRatio || 1;
    this.canvas.width = Math.round(width * ratio);
    this.canvas.height = Math.round(this.height * ratio);
    const ctx = this.canvas.getContext('2d');
    ctx.scale(ratio, ratio);
    this.drawCells(ctx, ratio);
    this.drawAxes(ctx);
    this.drawCursor();
  }

  /** The cells are put on a canvas of one pixel a column, which is then stretched: that takes as long for few buckets as for many. */
  drawCells(ctx, ratio) {
    const {times, columns, window} = this.picture;
    const {left, top, width, height} = this.inner;
    const small = h('canvas', {width: columns.length, height: Math.max(1, Math.round(height * ratio))});
    const image = new ImageData(small.width, small.height);
    const colours = palette(this.theme);
    columns.forEach((column, x) => this.paintColumn(image, x, column ?? [], colours));
    small.getContext('2d').putImageData(image, 0, 0);
    const from = this.xOf(times[0] - window.step / 2);
    ctx.save();
    ctx.beginPath();
    ctx.rect(left, top, width, height);
    ctx.clip();
    ctx.imageSmoothingEnabled = false;
    ctx.drawImage(small, from, top, this.xOf(times.at(-1) + window.step / 2) - from, height);
    ctx.restore();
  }

  paintColumn({data, width, height}, x, column, colours) {
    for (const bucket of column) {
      if (bucket.count > 0) {
        const {from, to} = this.scale.stretch(bucket);
        const [red, green, blue] = colours[Math.round(heatShare(bucket.count, this.extremes.most) * (LEVELS - 1))];
        const first = Math.min(height - 1, Math.round((1 - to) * height));
        const end = Math.max(first + 1, Math.round((1 - from) * height));
        for (let at = (first * width + x) * 4; at < end * width * 4; at += width * 4) {
          data[at] = red;
          data[at + 1] = green;
          data[at + 2] = blue;
          data[at + 3] = 255;
        }
      }
    }
  }

  drawAxes(ctx) {
    const {unit, window} = this.picture;
    const {left, top, width, height} = this.inner;
    ctx.font = FONT;
    ctx.fillStyle = themeValue('--ink-2');
    ctx.strokeStyle = themeValue('--grid');
    const {step, times} = timeTicks(window.start, window.end, Math.max(2, width / 90));
    ctx.textBaseline = 'top';
    ctx.textAlign = 'center';
    times.forEach((time) => ctx.fillText(timeLabel(time, step), this.xOf(time), top + height + 6));
    ctx.textBaseline = 'middle';
    ctx.textAlign = 'right';
    const ticks = boundTicks(this.buckets, this.scale, MIN_TICK_GAP / height, unit);
    const labels = tickLabels(ticks, unit);
    ticks.forEach((bound, i) => this.drawMark(ctx, labels[i], top + (1 - this.scale.place(bound)) * height));
    if (this.scale.top > this.scale.high) {
      this.drawMark(ctx, '∞', top + 6);
    }
    ctx.strokeRect(left + 0.5, top + 0.5, width - 1, height - 1);
  }

  drawMark(ctx, label, y) {
    const {left} = this.inner;
    ctx.fillText(label, left - 8, y);
    ctx.beginPath();
    ctx.moveTo(left - 4, Math.round(y) + 0.5);
    ctx.lineTo(left, Math.round(y) + 0.5);
    ctx.stroke();
  }

  /** Shows the moment that the charts of the page point at. */
  drawCursor() {
    const {time} = this.group;
    const isInside = this.picture !== null && time !== null && time >= this.picture.window.start && time <= this.picture.window.end;
    this.line.hidden = !isInside;
    if (isInside) {
      this.line.style.setProperty('left', `${this.xOf(time)}px`);
    }
  }

  /** The cell at a point of the box. */
  cellAt(x, y) {
    const {times, columns} = this.picture;
    const {top, height} = this.inner;
    const column = nearest(times, this.timeOf(x));
    const share = 1 - (y - top) / height;
    const row = (columns[column] ?? []).findIndex((bucket) => {
      const {from, to} = this.scale.stretch(bucket);
      return share >= from && share < to;
    });
    return {column, row};
  }

  moved(event) {
    if (this.picture === null) {
      return;
    }
    const {x, y} = this.within(event);
    if (this.drag !== null) {
      this.drag.to = x;
      this.showSelection();
    }
    const cell = this.cellAt(x, y);
    this.point(cell);
    this.group.hover(this.picture.times[cell.column] ?? null, this);
    this.drawCursor();
  }

  within(event) {
    const box = this.canvasBox.getBoundingClientRect();
    return {x: event.clientX - box.left, y: event.clientY - box.top};
  }

  left() {
    this.point(null);
    this.group.hover(null, this);
    this.drawCursor();
  }

  pressed(event) {
    if (event.button === 0 && this.picture !== null) {
      const {x} = this.within(event);
      this.drag = {from: x, to: x};
      this.canvasBox.setPointerCapture(event.pointerId);
    }
  }

  released(event) {
    if (this.drag === null) {
      return;
    }
    const {from} = this.drag;
    const {x} = this.within(event);
    this.endDrag();
    if (Math.abs(x - from) >= MIN_DRAG) {
      this.group.does.zoom(this.timeOf(from), this.timeOf(x));
    } else {
      this.group.does.pin(this.picture.times[nearest(this.picture.times, this.timeOf(x))] ?? null);
    }
  }

  endDrag() {
    this.drag = null;
    this.selection.hidden = true;
  }

  showSelection() {
    const {from, to} = this.drag;
    this.selection.hidden = Math.abs(to - from) < MIN_DRAG;
    this.selection.style.setProperty('left', `${Math.min(from, to)}px`);
    this.selection.style.setProperty('width', `${Math.abs(to - from)}px`);
  }

  key(event) {
    const by = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1]}[event.key];
    if (by === undefined || this.picture === null || event.ctrlKey || event.altKey || event.metaKey) {
      return;
    }
    event.preventDefault();
    const {times, columns} = this.picture;
    const last = times.length - 1;
    const {column, row} = this.at ?? {column: last - by[0], row: fullest(columns[last]) - by[1]};
    const next = Math.min(last, Math.max(0, column + by[0]));
    const rows = columns[next]?.length ?? 0;
    this.point({column: next, row: Math.min(rows - 1, Math.max(0, row + by[1]))});
    setText(this.said, this.words(this.at));
  }

  /** Says what is in a cell, beside it. @param {{column: number, row: number}|null} cell */
  point(cell) {
    this.at = cell;
    this.tip.hidden = cell === null;
    if (cell === null) {
      return;
    }
    setText(this.tip, this.words(cell));
    const {times, columns} = this.picture;
    const {top, height} = this.inner;
    const bucket = columns[cell.column]?.[cell.row];
    const x = this.xOf(times[cell.column]);
    const y = bucket ? top + (1 - this.scale.stretch(bucket).to) * height : top;
    const toTheLeft = x + 16 + this.tip.offsetWidth > this.canvasBox.clientWidth;
    this.tip.style.setProperty('left', `${Math.max(0, toTheLeft ? x - 12 - this.tip.offsetWidth : x + 12)}px`);
    this.tip.style.setProperty('top', `${Math.min(Math.max(0, y - 8), this.height - this.tip.offsetHeight)}px`);
  }

  words({column, row}) {
    const {times, columns, unit} = this.picture;
    const bucket = columns[column]?.[row];
    const when = moment(times[column]);
    if (!columns[column]) {
      return `${when}\nno samples`;
    }
    return bucket ? `${when}\n${boundsText(bucket, (bound) => boundLabel(bound, unit))}\n${this.picture.counted?.(bucket.count) ?? format(bucket.count, 'count')}` : `${when}\nno bucket here`;
  }
}

/** @returns {string} a bound with its unit; infinity as a sign */
export function boundLabel(bound, unit) {
  if (!Number.isFinite(bound)) {
    return bound > 0 ? '∞' : '−∞';
  }
  return unit === 'count' ? String(Number(bound.toPrecision(4))) : format(bound, unit);
}

/** The row that holds most. */
function fullest(column) {
  return (column ?? []).reduce((best, {count}, row, all) => (count > all[best].count ? row : best), 0);
}

/** Every bucket that ever occurs, once; its count is the largest. */
function distinct(columns) {
  const found = new Map();
  for (const column of columns) {
    for (const bucket of column ?? []) {
      const key = `${bucket.low} ${bucket.high}`;
      const known = found.get(key);
      if (known === undefined || known.count < bucket.count) {
        found.set(key, bucket);
      }
    }
  }
  return [...found.values()];
}
