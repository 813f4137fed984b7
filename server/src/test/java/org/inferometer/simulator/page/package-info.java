@NullMarked
package org.inferometer.simulator.page;

import org.jspecify.annotations.NullMarked;
