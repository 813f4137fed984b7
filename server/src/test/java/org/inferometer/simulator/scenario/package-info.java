@NullMarked
package org.inferometer.simulator.scenario;

import org.jspecify.annotations.NullMarked;
