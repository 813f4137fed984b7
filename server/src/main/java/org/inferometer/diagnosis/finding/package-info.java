/** What checks are made of: evidence, thresholds, findings. */
@NullMarked
package org.inferometer.diagnosis.finding;

import org.jspecify.annotations.NullMarked;
