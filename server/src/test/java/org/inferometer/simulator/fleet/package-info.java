/** Tests of whole fleets. */
@NullMarked
package org.inferometer.simulator.fleet;

import org.jspecify.annotations.NullMarked;
