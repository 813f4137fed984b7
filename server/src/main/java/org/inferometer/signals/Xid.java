package org.inferometer.signals;

/**
 * What a code of NVIDIA's driver means.
 *
 * @param means a sentence
 * @param action what to do about it, a sentence
 */
record Xid(int code, Severity severity, String means, String action) {
  /** How much has to be done about an Xid. */
  enum Severity {
    NOTE,
    /** The program has to start anew. */
    APPLICATION,
    /** Something has to be planned. */
    WATCH,
    /** The GPU has to be reset. */
    RESET,
    /** A connection between GPUs. */
    LINK,
    /** The machine has to be restarted. */
    NODE,
    /** Somebody has to look at the hardware or the installation. */
    CHECK
  }

  /** What to say of a code that isn't listed. */
  static Xid unlisted(int code) {
    return new Xid(
        code,
        Severity.WATCH,
        "Xid " + code + ", of which the vendor says nothing.",
        "Keep the kernel's log and ask the vendor if it repeats.");
  }
}
