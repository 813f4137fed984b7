/** Tests. */
@NullMarked
package org.inferometer.store;

import org.jspecify.annotations.NullMarked;
