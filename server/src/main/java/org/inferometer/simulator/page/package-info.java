/** The pages that engines and exporters serve, as data: names, help, labels, buckets, order. */
@NullMarked
package org.inferometer.simulator.page;

import org.jspecify.annotations.NullMarked;
