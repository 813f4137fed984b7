/** main, commands, wiring in order, shutdown. */
@NullMarked
package org.inferometer.app;

import org.jspecify.annotations.NullMarked;
