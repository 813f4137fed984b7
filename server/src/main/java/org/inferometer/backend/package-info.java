/** Questions to servers that speak Prometheus's HTTP API: any of them answers as ours does. */
@NullMarked
package org.inferometer.backend;

import org.jspecify.annotations.NullMarked;
