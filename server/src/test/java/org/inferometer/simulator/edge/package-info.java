/** Tests of the edge. */
@NullMarked
package org.inferometer.simulator.edge;

import org.jspecify.annotations.NullMarked;
