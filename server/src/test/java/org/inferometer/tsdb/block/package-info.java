/** Tests. */
@NullMarked
package org.inferometer.tsdb.block;

import org.jspecify.annotations.NullMarked;
