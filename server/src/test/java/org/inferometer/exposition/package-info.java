/** Tests. */
@NullMarked
package org.inferometer.exposition;

import org.jspecify.annotations.NullMarked;
