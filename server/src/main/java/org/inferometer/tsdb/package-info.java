/** The head: newest samples in memory, compressed, indexed by label pairs. Only app names it. */
@NullMarked
package org.inferometer.tsdb;

import org.jspecify.annotations.NullMarked;
