/** What users ask: arrivals, lengths, shared prefixes, sessions, tenants, adapters. */
@NullMarked
package org.inferometer.simulator.workload;

import org.jspecify.annotations.NullMarked;
