@NullMarked
package org.inferometer.hardware;

import org.jspecify.annotations.NullMarked;
