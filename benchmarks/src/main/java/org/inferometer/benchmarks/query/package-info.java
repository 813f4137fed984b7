/** How long queries take. */
@NullMarked
package org.inferometer.benchmarks.query;

import org.jspecify.annotations.NullMarked;
