/** Immutable blocks in Prometheus's format: index, chunk files, tombstones, meta.json. */
@NullMarked
package org.inferometer.tsdb.block;

import org.jspecify.annotations.NullMarked;
