/** Tests. */
@NullMarked
package org.inferometer.tsdb.index;

import org.jspecify.annotations.NullMarked;
