/** What stands between the user and the engine: client, gateway, API front end. */
@NullMarked
package org.inferometer.simulator.edge;

import org.jspecify.annotations.NullMarked;
