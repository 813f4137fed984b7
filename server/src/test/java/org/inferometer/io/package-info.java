/** Tests. */
@NullMarked
package org.inferometer.io;

import org.jspecify.annotations.NullMarked;
