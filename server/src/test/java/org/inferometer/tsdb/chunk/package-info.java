/** Tests. */
@NullMarked
package org.inferometer.tsdb.chunk;

import org.jspecify.annotations.NullMarked;
