/** Tests. */
@NullMarked
package org.inferometer.check;

import org.jspecify.annotations.NullMarked;
