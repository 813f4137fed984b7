/** Simulated time: what happens when, in which order, and by which dice. */
@NullMarked
package org.inferometer.simulator.event;

import org.jspecify.annotations.NullMarked;
