/**
 * A second evaluator of PromQL, for tests: it goes step by step, keeps nothing, and does everything
 * in the most obvious way. Written from the rules of the language, it shares only the parser, label
 * sets and matchers with the product.
 */
@NullMarked
package org.inferometer.query.stepwise;

import org.jspecify.annotations.NullMarked;
