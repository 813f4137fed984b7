/** Tests. */
@NullMarked
package org.inferometer.model;

import org.jspecify.annotations.NullMarked;
