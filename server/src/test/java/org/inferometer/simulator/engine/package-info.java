/** Tests. */
@NullMarked
package org.inferometer.simulator.engine;

import org.jspecify.annotations.NullMarked;
