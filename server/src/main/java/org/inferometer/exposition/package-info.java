/** Prometheus text and OpenMetrics: bytes to entries, bounded, no I/O. */
@NullMarked
package org.inferometer.exposition;

import org.jspecify.annotations.NullMarked;
