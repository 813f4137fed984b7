package org.inferometer.app;

/** How a diagnosis is shown. */
enum DiagnosisFormat {
  text,
  json,
  markdown,
  html
}
