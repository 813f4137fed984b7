/** Questions about speed, one class a question. */
@NullMarked
package org.inferometer.benchmarks;

import org.jspecify.annotations.NullMarked;
