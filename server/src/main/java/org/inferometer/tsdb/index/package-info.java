/** Which series have which labels: sets of ids, and how matchers pick from them. */
@NullMarked
package org.inferometer.tsdb.index;

import org.jspecify.annotations.NullMarked;
