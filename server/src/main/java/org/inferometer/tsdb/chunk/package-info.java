/** Compressed runs of samples of one series, in Prometheus's encodings. */
@NullMarked
package org.inferometer.tsdb.chunk;

import org.jspecify.annotations.NullMarked;
