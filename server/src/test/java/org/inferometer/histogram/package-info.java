/** Tests. */
@NullMarked
package org.inferometer.histogram;

import org.jspecify.annotations.NullMarked;
