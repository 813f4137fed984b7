/** Tests. */
@NullMarked
package org.inferometer.query;

import org.jspecify.annotations.NullMarked;
