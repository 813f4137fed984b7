package org.inferometer.app;

/** How a report is shown. */
enum OutputFormat {
  text,
  json
}
