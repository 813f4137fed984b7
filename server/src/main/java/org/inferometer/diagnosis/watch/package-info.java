/** What was found look after look: what holds, since when, and what is over. */
@NullMarked
package org.inferometer.diagnosis.watch;

import org.jspecify.annotations.NullMarked;
