/** How fast pages of metrics are read. */
@NullMarked
package org.inferometer.benchmarks.exposition;

import org.jspecify.annotations.NullMarked;
