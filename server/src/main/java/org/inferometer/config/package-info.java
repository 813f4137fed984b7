/** Typed configuration; loads, validates and reports all problems at once. */
@NullMarked
package org.inferometer.config;

import org.jspecify.annotations.NullMarked;
