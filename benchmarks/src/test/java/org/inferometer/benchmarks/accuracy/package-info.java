@NullMarked
package org.inferometer.benchmarks.accuracy;

import org.jspecify.annotations.NullMarked;
