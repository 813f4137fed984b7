/** Clocks, tickers and pacing; the only reader of the wall clock. */
@NullMarked
package org.inferometer.time;

import org.jspecify.annotations.NullMarked;
