/** Targets, pools and loops: fetch, parse, relabel, append, mark stale. */
@NullMarked
package org.inferometer.scrape;

import org.jspecify.annotations.NullMarked;
