/** Scenarios: fleet, workload and events as data, with their true cause. */
@NullMarked
package org.inferometer.simulator.scenario;

import org.jspecify.annotations.NullMarked;
