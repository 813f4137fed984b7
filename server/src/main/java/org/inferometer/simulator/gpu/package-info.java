/** GPUs: how long a step takes, and what it does to utilisation, clocks, power and heat. */
@NullMarked
package org.inferometer.simulator.gpu;

import org.jspecify.annotations.NullMarked;
