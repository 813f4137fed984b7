package org.inferometer.exposition;

/** What a specification asks of a whole body, beyond its grammar. Throws at the first breach. */
interface SpecRules {
  void reset();

  /** Looks at an event that the parser is at. */
  void check(LineParser parser, Event event);

  void finish(LineParser parser);
}
