@NullMarked
package org.inferometer.simulator.host;

import org.jspecify.annotations.NullMarked;
