/** Contracts only: appender, queryable, querier, series, sample columns, and their outcomes. */
@NullMarked
package org.inferometer.store;

import org.jspecify.annotations.NullMarked;
