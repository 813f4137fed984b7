/** What all HTTP servers of this program have in common: limits, and a watch over connections. */
@NullMarked
package org.inferometer.http;

import org.jspecify.annotations.NullMarked;
