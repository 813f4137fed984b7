/** Tests. */
@NullMarked
package org.inferometer.app;

import org.jspecify.annotations.NullMarked;
