@NullMarked
package org.inferometer.simulator.gpu;

import org.jspecify.annotations.NullMarked;
