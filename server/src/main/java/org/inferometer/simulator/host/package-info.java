/** Hosts and their processes: CPU time, contention, memory. */
@NullMarked
package org.inferometer.simulator.host;

import org.jspecify.annotations.NullMarked;
