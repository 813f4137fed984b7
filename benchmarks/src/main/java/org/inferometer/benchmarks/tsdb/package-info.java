/** Benchmarks of the store. */
@NullMarked
package org.inferometer.benchmarks.tsdb;

import org.jspecify.annotations.NullMarked;
