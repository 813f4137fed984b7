/** The jar beside real peers: same samples in, same answers out. */
@NullMarked
package org.inferometer.acceptance.peers;

import org.jspecify.annotations.NullMarked;
