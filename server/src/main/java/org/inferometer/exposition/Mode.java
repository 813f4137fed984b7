package org.inferometer.exposition;

/** How strictly a body is read. */
public enum Mode {
  /** Good lines are kept, bad ones are counted and reported. */
  TOLERANT,
  /** The first line that Prometheus's parser refuses refuses the body. */
  PROMETHEUS,
  /** The first breach of the format's specification refuses the body. */
  SPEC
}
