/** Looks at endpoints: what each is, what it feeds and lacks, and what is wrong with its page. */
@NullMarked
package org.inferometer.check;

import org.jspecify.annotations.NullMarked;
