/** Plain-text scripts that say what queries must answer: parsed, run, compared. */
@NullMarked
package org.inferometer.query.script;

import org.jspecify.annotations.NullMarked;
