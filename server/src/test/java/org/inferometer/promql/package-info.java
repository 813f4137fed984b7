/** Tests. */
@NullMarked
package org.inferometer.promql;

import org.jspecify.annotations.NullMarked;
