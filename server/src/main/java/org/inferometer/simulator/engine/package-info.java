/** The engine: scheduling, KV cache, prefix cache, speculation, adapters, transfers. */
@NullMarked
package org.inferometer.simulator.engine;

import org.jspecify.annotations.NullMarked;
