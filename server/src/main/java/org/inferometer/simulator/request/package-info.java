/** A request and its prompt, as all layers see them. */
@NullMarked
package org.inferometer.simulator.request;

import org.jspecify.annotations.NullMarked;
