/** What the parts of a simulation count, without the names that engines give it. */
@NullMarked
package org.inferometer.simulator.measure;

import org.jspecify.annotations.NullMarked;
