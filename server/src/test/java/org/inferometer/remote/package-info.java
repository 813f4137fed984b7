/** Tests of what is exchanged with other servers. */
@NullMarked
package org.inferometer.remote;

import org.jspecify.annotations.NullMarked;
