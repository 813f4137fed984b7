/** Tests. */
@NullMarked
package org.inferometer.scrape;

import org.jspecify.annotations.NullMarked;
