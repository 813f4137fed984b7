/** Tests of the workload. */
@NullMarked
package org.inferometer.simulator.workload;

import org.jspecify.annotations.NullMarked;
