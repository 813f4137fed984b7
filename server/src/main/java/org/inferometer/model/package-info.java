/** The nouns: label set, matcher, metric type and metadata, exemplar, staleness marker; numbers. */
@NullMarked
package org.inferometer.model;

import org.jspecify.annotations.NullMarked;
