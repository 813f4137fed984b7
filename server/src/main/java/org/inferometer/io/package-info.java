/** Bit readers and writers, and those of protobuf messages. */
@NullMarked
package org.inferometer.io;

import org.jspecify.annotations.NullMarked;
