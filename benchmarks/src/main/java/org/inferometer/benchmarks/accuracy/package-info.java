/** How near the simulator comes to what others measured on real GPUs. */
@NullMarked
package org.inferometer.benchmarks.accuracy;

import org.jspecify.annotations.NullMarked;
