/** What GPUs can do and what models ask of them, by their data sheets. */
@NullMarked
package org.inferometer.hardware;

import org.jspecify.annotations.NullMarked;
