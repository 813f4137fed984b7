/**
 * The data client: the only module that speaks to the server. It gathers what the parts of a page ask for into one
 * request, gives up requests that nobody waits for, and knows whether the server answers.
 */

/** @typedef {import('./types.js').Window} Window */
/** @typedef {import('./types.js').SignalResult} SignalResult */

/** The most signals of one request; docs/reference/ui-api.md. */
const MAX_SIGNALS = 200;
const REQUEST_TIMEOUT_MS = 30_000;
const RETRY_MS = [1000, 2000, 4000, 8000];
const TICK_TIMEOUT_MS = 10_000;
const POLL_MS = 5000;

/** What the server answered in place of data. */
export class ApiError extends Error {
  constructor(type, message, status) {
    super(message);
    this.type = type;
    this.status = status;
  }
}

/** The server can't be reached. */
export class Unreachable extends Error {}

/** @param {unknown} error @returns {boolean} whether it only says that nobody waits any longer */
export function isAbort(error) {
  return error instanceof DOMException && error.name === 'AbortError';
}

/** A request of one part of a page, waiting to be sent with the others of the same moment. */
class Pending {
  constructor(request, signal) {
    this.request = request;
    this.signal = signal;
    this.promise = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
  }

  get size() {
    return this.request.signals.length;
  }
}

export class Client {
  constructor() {
    this.skew = 0;
    this.lastAnswer = null;
    this.goneSince = null;
    this.retries = 0;
    this.statusListeners = [];
    this.tickListeners = [];
    /** @type {Map<string, {time: object, waiting: Pending[]}>} */
    this.batches = new Map();
    this.source = null;
    this.lastTick = 0;
    /** Routes that this server turned out not to have. @type {Set<string>} */
    this.absent = new Set();
  }

  /** @returns {number} the server's time in seconds, as far as is known */
  now() {
    return Date.now() / 1000 + this.skew;
  }

  /** @param {() => void} listener called when the server goes and when it comes back */
  onStatus(listener) {
    this.statusListeners.push(listener);
  }

  /** @param {() => void} listener called when there are new samples, at most once a second */
  onTick(listener) {
    this.tickListeners.push(listener);
  }

  /**
   * @param {string} path
   * @param {{signal?: AbortSignal, form?: Record<string, string>, json?: object}} [options]
   * @returns {Promise<{data: any, warnings: string[], infos: string[]}>}
   */
  async ask(path, {signal, form, json} = {}) {
    const init = {signal: withTimeout(signal), headers: {Accept: 'application/json'}};
    if (form) {
      Object.assign(init, {method: 'POST', body: new URLSearchParams(form)});
    } else if (json) {
      Object.assign(init, {method: 'POST', body: JSON.stringify(json)});
      init.headers['Content-Type'] = 'application/json';
    }
    const response = await this.reach(path, init);
    const body = await this.read(response, signal);
    if (body.status !== 'success') {
      throw new ApiError(body.errorType ?? 'internal', body.error ?? `status ${response.status}`, response.status);
    }
    return {data: body.data, warnings: body.warnings ?? [], infos: body.infos ?? []};
  }

  async reach(path, init) {
    try {
      const response = await fetch(path, init);
      if (response.status >= 502 && response.status <= 504 && !isJson(response)) {
        throw new TypeError(`status ${response.status}`);
      }
      this.answered();
      return response;
    } catch (error) {
      throw this.failure(error, init.signal);
    }
  }

  async read(response, signal) {
    try {
      return await response.json();
    } catch (error) {
      if (error instanceof SyntaxError) {
        throw new ApiError('internal', `the server answered with status ${response.status} and no JSON`, response.status);
      }
      throw this.failure(error, signal);
    }
  }

  failure(error, signal) {
    if (isAbort(error) || signal?.reason?.name === 'AbortError') {
      return error;
    }
    this.gone();
    return new Unreachable(String(error));
  }

  answered() {
    this.lastAnswer = Date.now();
    if (this.goneSince !== null) {
      this.goneSince = null;
      this.retries = 0;
      this.connect();
      this.tellStatus();
    }
  }

  gone() {
    if (this.goneSince === null) {
      this.goneSince = Date.now();
      this.tellStatus();
      this.retryLater();
    }
  }

  retryLater() {
    const wait = RETRY_MS[Math.min(this.retries++, RETRY_MS.length - 1)];
    setTimeout(async () => {
      if (this.goneSince === null) {
        return;
      }
      try {
        await this.services();
        this.tellTick();
      } catch {
        this.retryLater();
      }
    }, wait);
  }

  tellStatus() {
    this.statusListeners.forEach((listener) => listener());
  }

  tellTick() {
    this.lastTick = Date.now();
    this.tickListeners.forEach((listener) => listener());
  }

  /** Listens for new samples while the page is seen, and asks on its own where events don't come through. */
  start() {
    document.addEventListener('visibilitychange', () => (document.hidden ? this.disconnect() : this.resume()));
    this.connect();
    setInterval(() => {
      const silent = Date.now() - this.lastTick;
      if (!document.hidden && this.goneSince === null && silent > TICK_TIMEOUT_MS) {
        this.tellTick();
      }
      if (!document.hidden && this.goneSince === null && this.source?.readyState === EventSource.CLOSED) {
        this.connect();
      }
    }, POLL_MS);
  }

  resume() {
    this.connect();
    this.tellTick();
  }

  connect() {
    this.disconnect();
    if (document.hidden) {
      return;
    }
    this.source = new EventSource('/api/v1/events');
    this.source.addEventListener('tick', (event) => {
      this.setTime(event.data);
      this.tellTick();
    });
    this.source.addEventListener('error', () => this.services().catch(() => {}));
  }

  disconnect() {
    this.source?.close();
    this.source = null;
  }

  setTime(data) {
    try {
      const {time} = JSON.parse(data);
      if (Number.isFinite(time) && Math.abs(time - Date.now() / 1000 - this.skew) > 5) {
        this.skew = time - Date.now() / 1000;
      }
    } catch {
      // A tick without a readable time is a tick all the same.
    }
  }

  /** @returns {Promise<import('./types.js').Signal[]>} */
  async vocabulary() {
    return (await this.ask('/api/v1/signals')).data;
  }

  /** @returns {Promise<import('./types.js').Service[]>} worst first */
  async services(signal) {
    const {data} = await this.ask('/api/v1/services', {signal});
    const skew = data.time - Date.now() / 1000;
    if (Math.abs(skew - this.skew) > 1) {
      this.skew = skew;
    }
    return data.services;
  }

  /** @returns {Promise<any[]>} */
  async targets(signal) {
    return (await this.ask('/api/v1/targets?state=active', {signal})).data.activeTargets;
  }

  /**
   * How the server's store fares.
   *
   * @returns {Promise<{version: string, readOnly: boolean, minTime: number|null, maxTime: number|null, trouble: string, waitsFor: string|null, simulation: boolean}>}
   */
  async status() {
    return (await this.ask('/api/v1/status')).data;
  }

  /**
   * The same from a route that an older server may not have.
   *
   * @returns {Promise<{data: any, warnings: string[], infos: string[]}|null>} null if it hasn't
   */
  async askIfThere(path, options) {
    if (this.absent.has(path)) {
      return null;
    }
    try {
      return await this.ask(path, options);
    } catch (error) {
      if (error instanceof ApiError && (error.status === 404 || error.status === 405 || error.status === 501)) {
        this.absent.add(path);
        return null;
      }
      throw error;
    }
  }

  /**
   * Several queries over the same time in one request; one request each if the server has no such route.
   *
   * @param {string[]} queries
   * @param {{time: number}|Window} time
   * @param {AbortSignal} [signal]
   * @returns {Promise<({data: any, warnings: string[], infos: string[]}|ApiError)[]>} in the order asked
   */
  async queries(queries, time, signal) {
    if (queries.length > 1) {
      const json = {queries: queries.map((query, i) => ({id: String(i), query})), ...time};
      const answer = await settled(this.askIfThere('/api/v1/query_batch', {json, signal}));
      if (answer instanceof ApiError) {
        return queries.map(() => answer);
      }
      if (answer !== null) {
        const byId = new Map(answer.data.results.map((result) => [result.id, result]));
        return queries.map((_, i) => outcome(byId.get(String(i))));
      }
    }
    const path = 'time' in time ? '/api/v1/query' : '/api/v1/query_range';
    return Promise.all(queries.map((query) => settled(this.ask(path, {form: {query, ...time}, signal}))));
  }

  /**
   * Asks for signals of a service. All that is asked for before the present task ends goes in one request a time range.
   *
   * @param {{service: string, signals: string[], by?: string[], buckets?: boolean}} request
   * @param {Window} window
   * @param {AbortSignal} [signal]
   * @returns {Promise<{times: number[], results: SignalResult[]}>}
   */
  signals(request, window, signal) {
    const pending = new Pending(request, signal);
    const key = `${window.start}/${window.end}/${window.step}`;
    if (!this.batches.has(key)) {
      const moment = window.start === window.end;
      const time = moment ? {time: window.end} : {start: window.start, end: window.end, step: window.step};
      this.batches.set(key, {time, waiting: []});
      setTimeout(() => this.flush(key));
    }
    this.batches.get(key).waiting.push(pending);
    return pending.promise;
  }

  /**
   * The buckets behind quantiles: series labelled `le` with the rate of what fell into each.
   *
   * @param {{service: string, signals: string[], by?: string[]}} request
   * @returns {Promise<{times: number[], results: SignalResult[]}>}
   */
  buckets(request, window, signal) {
    return this.signals({...request, buckets: true}, window, signal);
  }

  /** @returns {Promise<import('./simulation.js').View>} how the simulated fleet stands */
  async simulation() {
    return (await this.ask('/api/v1/simulation')).data;
  }

  /** @param {string} id of a fault that is done to the simulated fleet */
  async inject(id) {
    await this.tell('/api/v1/simulation/faults', {method: 'POST', body: JSON.stringify({id}), headers: {'Content-Type': 'application/json'}});
  }

  /** @param {string|null} id of a fault that is undone, or null for all */
  async undo(id) {
    await this.tell(`/api/v1/simulation/faults${id === null ? '' : `/${encodeURIComponent(id)}`}`, {method: 'DELETE'});
  }

  /** Tells the server to do something; there is no answer but whether it is done. */
  async tell(path, init) {
    const response = await this.reach(path, {...init, signal: withTimeout()});
    if (!response.ok) {
      const body = await this.read(response);
      throw new ApiError(body.errorType ?? 'internal', body.error ?? `status ${response.status}`, response.status);
    }
  }

  /**
   * What is the matter with a service.
   *
   * @param {{service: string, time: number|null, window: number|null}} what `time` is null for now, `window` for the usual
   * @returns {Promise<import('./types.js').Diagnosis|null>} null if the server doesn't diagnose
   */
  async diagnosis(what, signal) {
    const path = '/api/v1/diagnosis';
    const answer = this.absent.has(path) ? null : await this.ask(diagnosisUrl(what), {signal}).catch((error) => this.unlessNoRoute(error, path));
    return answer?.data ?? null;
  }

  /** How every service fares and what was found lately; null if the server doesn't diagnose. */
  async findings(signal) {
    return (await this.askIfThere('/api/v1/findings', {signal}))?.data ?? null;
  }

  /** @returns {Promise<import('./types.js').Incident[]|null>} what went wrong in a stretch of time; null if the server doesn't diagnose */
  async incidents({start, end}, signal) {
    const path = '/api/v1/incidents';
    const answer = this.absent.has(path) ? null : await this.ask(`${path}?start=${start}&end=${end}`, {signal}).catch((error) => this.unlessNoRoute(error, path));
    return answer?.data.incidents ?? null;
  }

  /** @returns {Promise<import('./types.js').Cause[]>} every cause that there is a check for */
  async causes() {
    return (await this.askIfThere('/api/v1/causes'))?.data.causes ?? [];
  }

  /** That a route isn't there is an answer, and it isn't asked again; that what is asked for isn't is an error. */
  unlessNoRoute(error, path) {
    if (error instanceof ApiError && error.status === 404 && error.message.startsWith('no such route')) {
      this.absent.add(path);
      return null;
    }
    throw error;
  }

  /** @returns {Promise<any|null>} all GPUs with what happened to them; null if the server doesn't know of GPUs */
  async gpus(signal) {
    return (await this.askIfThere('/api/v1/gpus', {signal}))?.data ?? null;
  }

  /**
   * Takes two scrapes of a target, some seconds apart, and says what it is and what it can tell.
   *
   * @returns {Promise<any|null>} null if the server can't check
   */
  async check(target, signal) {
    try {
      return (await this.ask(`/api/v1/check?target=${encodeURIComponent(target)}`, {signal})).data;
    } catch (error) {
      if (error instanceof ApiError && error.status === 404 && error.message.startsWith('no such route')) {
        return null;
      }
      throw error;
    }
  }

  flush(key) {
    const {time, waiting} = this.batches.get(key);
    this.batches.delete(key);
    for (const chunk of chunks(waiting)) {
      this.send(time, chunk);
    }
  }

  /** @param {Pending[]} chunk */
  async send(time, chunk) {
    const abort = abortWhenAll(chunk.map((pending) => pending.signal));
    try {
      const json = {...time, requests: chunk.map((pending) => pending.request)};
      const {data} = await this.ask('/api/v1/signals/query', {json, signal: abort});
      let from = 0;
      for (const pending of chunk) {
        pending.resolve({times: data.times, results: data.results.slice(from, from + pending.size)});
        from += pending.size;
      }
    } catch (error) {
      chunk.forEach((pending) => pending.reject(error));
    }
  }
}

/** Where a diagnosis is asked for. */
export function diagnosisUrl({service, time, window}) {
  const query = new URLSearchParams({service});
  if (time !== null) {
    query.set('time', String(time));
  }
  if (window !== null) {
    query.set('window', `${window}s`);
  }
  return `/api/v1/diagnosis?${query}`;
}

/** One result of a batch as if it had been asked for alone. */
function outcome(result) {
  if (result?.status !== 'success') {
    return new ApiError(result?.errorType ?? 'internal', result?.error ?? 'the server left this query unanswered', 400);
  }
  return {data: result.data, warnings: result.warnings ?? [], infos: result.infos ?? []};
}

/** An error of the server becomes the outcome; that nobody answers stays an error. */
function settled(promise) {
  return promise.catch((error) => {
    if (error instanceof ApiError) {
      return error;
    }
    throw error;
  });
}

function isJson(response) {
  return (response.headers.get('Content-Type') ?? '').includes('json');
}

function withTimeout(signal) {
  const timeout = AbortSignal.timeout(REQUEST_TIMEOUT_MS);
  return signal ? AbortSignal.any([signal, timeout]) : timeout;
}

/** Pending requests in groups that stay within the limit of one request. */
function* chunks(waiting) {
  let chunk = [];
  let size = 0;
  for (const pending of waiting) {
    if (size + pending.size > MAX_SIGNALS && chunk.length > 0) {
      yield chunk;
      chunk = [];
      size = 0;
    }
    chunk.push(pending);
    size += pending.size;
  }
  if (chunk.length > 0) {
    yield chunk;
  }
}

/** A signal that aborts once all of these have; never if one of them can't. */
function abortWhenAll(signals) {
  const controller = new AbortController();
  let left = signals.length;
  const one = () => {
    left -= 1;
    if (left === 0) {
      controller.abort();
    }
  };
  signals.forEach((signal) => (signal?.aborted ? one() : signal?.addEventListener('abort', one, {once: true})));
  return controller.signal;
}
