package org.inferometer.lint;

/** A file that was read, with the queries that were found in it. */
public final class LintFile {
  private final LintDocument document;

  private LintFile(LintDocument document) {
    this.document = document;
  }

  /** The most bytes of a file. */
  public static final int BYTES_MAX = SourceFile.BYTES_MAX;

  /**
   * Reads a file.
   *
   * @param name as it is told in reports
   * @throws LintFileException if it is neither JSON nor YAML, not UTF-8, too large or too deep
   */
  public static LintFile read(String name, byte[] bytes) throws LintFileException {
    return new LintFile(DocumentReader.read(SourceFile.of(name, bytes)));
  }

  public String name() {
    return document.file().name();
  }

  LintDocument document() {
    return document;
  }
}
