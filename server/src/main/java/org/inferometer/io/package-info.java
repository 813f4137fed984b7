/**
 * Bit readers and writers, those of protobuf messages, snappy blocks, and a disk that tests can
 * make fail.
 */
@NullMarked
package org.inferometer.io;

import org.jspecify.annotations.NullMarked;
