/** What other servers exchange with this one in raw samples: remote write, remote read, newest. */
@NullMarked
package org.inferometer.remote;

import org.jspecify.annotations.NullMarked;
