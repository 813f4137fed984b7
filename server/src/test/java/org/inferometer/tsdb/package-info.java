/** Tests. */
@NullMarked
package org.inferometer.tsdb;

import org.jspecify.annotations.NullMarked;
