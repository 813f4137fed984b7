/** The pages in a real browser, before a running server that scrapes real dumps. */
@NullMarked
package org.inferometer.acceptance.ui;

import org.jspecify.annotations.NullMarked;
