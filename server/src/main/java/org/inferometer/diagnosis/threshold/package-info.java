/** The numbers by which causes are judged, each with its source; users may set their own. */
@NullMarked
package org.inferometer.diagnosis.threshold;

import org.jspecify.annotations.NullMarked;
