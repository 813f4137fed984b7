/** Why a service is slow: checks over a typed world, put in order of cause and effect. */
@NullMarked
package org.inferometer.diagnosis;

import org.jspecify.annotations.NullMarked;
