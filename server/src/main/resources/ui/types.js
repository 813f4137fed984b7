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
 * @typedef {object} Evidence something measured that speaks for or against a cause
 * @property {string} layer
 * @property {string} signal
 * @property {number|null} value
 * @property {string} unit
 * @property {number|null} threshold
 * @property {number|null} baseline
 * @property {string} quality
 * @property {string|null} of the instance, GPU or gateway that was measured
 * @property {string|null} service the id of another service that measured it
 * @property {string|null} query
 * @property {string} says
 *
 * @typedef {object} Effect
 * @property {string} signal what suffers
 * @property {number|null} share that the cause carries
 * @property {number|null} value
 * @property {number|null} without what it would be without the cause
 * @property {string|null} text
 *
 * @typedef {object} Action
 * @property {string} action
 * @property {string} why
 * @property {string} expect
 * @property {string|null} risk
 * @property {string} confirm
 *
 * @typedef {object} Verdict
 * @property {string} cause
 * @property {string} title
 * @property {number} confidence
 * @property {{service: string, model: string|null, instance: string|null, gpu: string|null}} scope
 * @property {Effect} effect
 * @property {string} says
 * @property {string|null} follows
 * @property {number|null} onset seconds
 * @property {Evidence[]} evidence
 * @property {Evidence[]} against
 * @property {Action[]} next
 *
 * @typedef {object} Diagnosis docs/reference/diagnosis-json.md
 * @property {{start: number, end: number}} window
 * @property {{start: number, end: number}|null} baseline
 * @property {'healthy'|'degraded'|'critical'|'no-traffic'|'cannot-tell'} state
 * @property {string} summary
 * @property {string|null} service
 * @property {Verdict[]} verdicts
 * @property {{question: string, answer: string, signal: string|null, value: number|null, unit: string|null, threshold: number|null}[]} path
 * @property {{cause: string, because: string, unknown: boolean}[]} ruledOut
 * @property {{problem: string, target: string, signals: string[], says: string, fault: boolean}[]} telemetry
 * @property {{layer: string, signal: string, of: string|null, value: number|null, unit: string, baseline: number|null, query: string|null, says: string}[]} layers
 * @property {{kind: string, of: string|null, says: string, share: number|null, time: number|null}[]} changes
 * @property {{time: number, kind: string, instance: string|null, name: string, from: string|null, to: string|null, says: string}[]} happenings
 * @property {{time: number, signal: string, layer: string, instance: string|null, before: number|null, after: number|null, score: number|null}[]} timeline
 *
 * @typedef {object} Incident a stretch of time in which a service's users suffered
 * @property {string} service
 * @property {number} start
 * @property {number|null} end null while it lasts
 * @property {Diagnosis['timeline']} deviations
 * @property {Diagnosis['happenings']} happenings
 * @property {import('./findings.js').Held[]} findings
 *
 * @typedef {object} Cause
 * @property {string} id
 * @property {string} title
 * @property {string} is what it is
 * @property {{layer: string, by: string}[]} looks how it looks in each layer
 * @property {{cause: string, by: string}[]} unlike what it is taken for, and by what it is told from it
 *
 * @typedef {object} Window a stretch of time, or one moment if `start` equals `end`; seconds
 * @property {number} start
 * @property {number} end
 * @property {number} step
 */
export {};
