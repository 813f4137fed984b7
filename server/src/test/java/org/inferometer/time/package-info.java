/** Tests. */
@NullMarked
package org.inferometer.time;

import org.jspecify.annotations.NullMarked;
