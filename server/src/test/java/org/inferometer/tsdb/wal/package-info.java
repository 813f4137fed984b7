/** Tests. */
@NullMarked
package org.inferometer.tsdb.wal;

import org.jspecify.annotations.NullMarked;
