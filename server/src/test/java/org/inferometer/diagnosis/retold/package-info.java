/** Incidents and cases as they were published, rebuilt from their numbers as series. */
@NullMarked
package org.inferometer.diagnosis.retold;

import org.jspecify.annotations.NullMarked;
