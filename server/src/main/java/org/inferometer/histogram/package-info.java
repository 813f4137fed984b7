/** Native histograms as values: buckets, arithmetic, quantiles. */
@NullMarked
package org.inferometer.histogram;

import org.jspecify.annotations.NullMarked;
