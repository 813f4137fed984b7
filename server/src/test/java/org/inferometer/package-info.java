/** Tests over the whole of the product's packages. */
@NullMarked
package org.inferometer;

import org.jspecify.annotations.NullMarked;
