/** Tests. */
@NullMarked
package org.inferometer.query.script;

import org.jspecify.annotations.NullMarked;
