/**
 * The store: a head of the newest samples with a log, blocks of older ones, compaction, retention.
 * Only app names it.
 */
@NullMarked
package org.inferometer.tsdb;

import org.jspecify.annotations.NullMarked;
