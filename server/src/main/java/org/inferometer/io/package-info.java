/** Bit readers and writers. */
@NullMarked
package org.inferometer.io;

import org.jspecify.annotations.NullMarked;
