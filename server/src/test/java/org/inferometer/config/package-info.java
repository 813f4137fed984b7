/** Tests. */
@NullMarked
package org.inferometer.config;

import org.jspecify.annotations.NullMarked;
