/** Prometheus text, OpenMetrics and protobuf: bytes to entries, bounded, no I/O. */
@NullMarked
package org.inferometer.exposition;

import org.jspecify.annotations.NullMarked;
