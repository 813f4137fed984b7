/** The nouns: label set, matcher, metric type and metadata, staleness marker. */
@NullMarked
package org.inferometer.model;

import org.jspecify.annotations.NullMarked;
