/**
 * QueryService, and the evaluator of a tree over a Queryable: functions, matching, limits,
 * annotations.
 */
@NullMarked
package org.inferometer.query;

import org.jspecify.annotations.NullMarked;
