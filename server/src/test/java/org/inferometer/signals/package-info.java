/** Tests. */
@NullMarked
package org.inferometer.signals;

import org.jspecify.annotations.NullMarked;
