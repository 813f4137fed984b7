/** One check a cause: a pure function from what was measured of a service to a finding. */
@NullMarked
package org.inferometer.diagnosis.cause;

import org.jspecify.annotations.NullMarked;
