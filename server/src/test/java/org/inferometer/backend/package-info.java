/** Tests. */
@NullMarked
package org.inferometer.backend;

import org.jspecify.annotations.NullMarked;
