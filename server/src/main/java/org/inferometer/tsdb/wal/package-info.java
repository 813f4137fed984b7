/** The write-ahead log in Prometheus's format: segments, pages, records, checkpoints. */
@NullMarked
package org.inferometer.tsdb.wal;

import org.jspecify.annotations.NullMarked;
