/**
 * Reads dashboards, rules and autoscalers and says which of their queries can't work, judged by
 * what the dialects know of metric families.
 */
@NullMarked
package org.inferometer.lint;

import org.jspecify.annotations.NullMarked;
