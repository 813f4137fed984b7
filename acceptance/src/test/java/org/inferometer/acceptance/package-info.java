/** The packaged program, looked at through HTTP and the browser only. */
@NullMarked
package org.inferometer.acceptance;

import org.jspecify.annotations.NullMarked;
