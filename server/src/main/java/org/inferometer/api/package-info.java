/** Routes, limits and JSON shapes of the HTTP interface. */
@NullMarked
package org.inferometer.api;

import org.jspecify.annotations.NullMarked;
