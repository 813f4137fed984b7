@NullMarked
package org.inferometer.simulator.live;

import org.jspecify.annotations.NullMarked;
