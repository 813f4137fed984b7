/** A writing process that is killed at random moments, and what its data directory holds after. */
@NullMarked
package org.inferometer.acceptance.kill;

import org.jspecify.annotations.NullMarked;
