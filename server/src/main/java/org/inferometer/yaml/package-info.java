/**
 * YAML whose values remember where they stand, so that what is wrong in a file is told by place.
 */
@NullMarked
package org.inferometer.yaml;

import org.jspecify.annotations.NullMarked;
