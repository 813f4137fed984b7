/** How long diagnoses take. */
@NullMarked
package org.inferometer.benchmarks.diagnosis;

import org.jspecify.annotations.NullMarked;
