/** How fast simulations run. */
@NullMarked
package org.inferometer.benchmarks.simulator;

import org.jspecify.annotations.NullMarked;
