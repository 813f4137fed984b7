/**
 * The vocabulary of serving: signals, engine dialects as data, what an endpoint is and can feed.
 */
@NullMarked
package org.inferometer.signals;

import org.jspecify.annotations.NullMarked;
