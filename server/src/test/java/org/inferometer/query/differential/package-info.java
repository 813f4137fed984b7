/**
 * Random queries over random series, asked of two evaluators that must say the same, and cut down
 * to the smallest query and data on which they don't.
 */
@NullMarked
package org.inferometer.query.differential;

import org.jspecify.annotations.NullMarked;
