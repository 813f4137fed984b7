/** Whole programs side by side on the same load: ours, Prometheus, VictoriaMetrics. */
@NullMarked
package org.inferometer.benchmarks.peers;

import org.jspecify.annotations.NullMarked;
