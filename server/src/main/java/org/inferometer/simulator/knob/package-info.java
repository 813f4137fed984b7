/** What can be turned while a simulation runs. */
@NullMarked
package org.inferometer.simulator.knob;

import org.jspecify.annotations.NullMarked;
