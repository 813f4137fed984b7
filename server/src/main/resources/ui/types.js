/**
 * The shapes that travel between the modules, as documented in docs/reference/ui-api.md. Types only.
 *
 * @typedef {'ok'|'idle'|'degraded'|'critical'|'down'|'unknown'} State
 * @typedef {'request'|'engine'|'gpu'|'host'} Layer
 *
 * @typedef {object} Signal one entry of the vocabulary
 * @property {string} name
 * @property {string} title
 * @property {Layer} layer
 * @property {string} unit
 * @property {'gauge'|'rate'|'quantile'|'share'|'bounds'} kind
 * @property {string} meaning
 * @property {string|null} caveat
 * @property {{low: number|null, high: number|null, source: string}|null} healthy
 *
 * @typedef {object} Replica
 * @property {string} instance
 * @property {string} job
 * @property {State} state
 * @property {string} sentence
 *
 * @typedef {object} Service
 * @property {string} id
 * @property {'engine'|'router'|'gpu'|'host'|'cluster'|'other'} kind
 * @property {string} name
 * @property {{id: string, title: string}} engine
 * @property {{text: string, low: string|null, high: string|null, exact: boolean, because: string}|null} version
 * @property {string|null} model
 * @property {State} state
 * @property {string} sentence
 * @property {Replica[]} replicas
 * @property {string[]} signals
 * @property {Absent[]} absent
 * @property {{id: string, because: string}[]} related
 *
 * @typedef {object} Absent a signal that such a service could have and this one hasn't
 * @property {string} signal
 * @property {'setting'|'release'|'traffic'|'engine'|'fact'|'broken'} why
 * @property {string} reason
 * @property {string|null} fix the flag, setting or release that brings it
 *
 * @typedef {object} SignalSeries
 * @property {Record<string, string>} labels
 * @property {(number|null)[]} values
 * @property {(number|null)[]} [low]
 * @property {(number|null)[]} [high]
 * @property {(number|null)[]} [counts] observations behind each value
 *
 * @typedef {object} SignalResult
 * @property {string} service
 * @property {string} signal
 * @property {string} unit
 * @property {'exact'|'derived'|'estimated'|'proxy'|'absent'} quality
 * @property {string|null} reason
 * @property {string|null} query
 * @property {SignalSeries[]} series
 * @property {number|null} goal
 * @property {string|null} [counts] what its values count
 * @property {number|null} [window] seconds over which rates are taken
 *
 * @typedef {object} Window a stretch of time, or one moment if `start` equals `end`; seconds
 * @property {number} start
 * @property {number} end
 * @property {number} step
 */
export {};
