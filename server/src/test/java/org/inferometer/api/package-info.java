/** Tests. */
@NullMarked
package org.inferometer.api;

import org.jspecify.annotations.NullMarked;
