/** Byte readers and writers, varints and bit streams. */
@NullMarked
package org.inferometer.io;

import org.jspecify.annotations.NullMarked;
