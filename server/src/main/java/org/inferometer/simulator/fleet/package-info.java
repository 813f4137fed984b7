/** A whole simulated system, made from a scenario. */
@NullMarked
package org.inferometer.simulator.fleet;

import org.jspecify.annotations.NullMarked;
