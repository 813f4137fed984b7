/** Bit readers and writers, those of protobuf messages, and snappy blocks. */
@NullMarked
package org.inferometer.io;

import org.jspecify.annotations.NullMarked;
