/** Lexer, parser, tree, type check and printer of the query language. */
@NullMarked
package org.inferometer.promql;

import org.jspecify.annotations.NullMarked;
