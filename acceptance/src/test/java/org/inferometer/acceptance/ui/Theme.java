package org.inferometer.acceptance.ui;

import com.microsoft.playwright.options.ColorScheme;

/** What the system asks for. */
enum Theme {
  LIGHT(ColorScheme.LIGHT),
  DARK(ColorScheme.DARK);

  final ColorScheme scheme;

  Theme(ColorScheme scheme) {
    this.scheme = scheme;
  }
}
