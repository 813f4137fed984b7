@NullMarked
package org.inferometer.lint;

import org.jspecify.annotations.NullMarked;
