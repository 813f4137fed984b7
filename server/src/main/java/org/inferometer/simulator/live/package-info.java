/** A simulation in real time, behind the HTTP interfaces that real servers have. */
@NullMarked
package org.inferometer.simulator.live;

import org.jspecify.annotations.NullMarked;
