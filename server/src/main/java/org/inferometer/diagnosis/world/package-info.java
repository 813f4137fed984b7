/** What was measured of a serving system in a window, typed, with its baseline and its quality. */
@NullMarked
package org.inferometer.diagnosis.world;

import org.jspecify.annotations.NullMarked;
