package org.inferometer.lint;

import java.util.List;

/** Finds the queries of a file, whatever kind of file it is. */
final class DocumentReader {
  private final LintDocument document;

  private DocumentReader(LintDocument document) {
    this.document = document;
  }

  /**
   * @throws LintFileException if the file is neither JSON nor YAML
   */
  static LintDocument read(SourceFile file) throws LintFileException {
    LintDocument document = new LintDocument(file);
    MappedText text = MappedText.ofFile(file.text());
    if (HelmTemplate.isTemplate(file.text())) {
      text = text.masked(HelmTemplate.masked(file.text()));
      document.template();
      document.note(
          "a Helm template: what its actions write wasn't seen; lint what helm template makes of"
              + " it");
    }
    try {
      new DocumentReader(document).document(text, file.name());
    } catch (Unreadable e) {
      throw file.problem(e.place(), String.valueOf(e.getMessage()));
    }
    if (document.queries().isEmpty() && document.notes().isEmpty()) {
      document.note("no queries found");
    }
    return document;
  }

  private void document(MappedText text, String name) throws Unreadable {
    if (looksLikeJson(text.text())) {
      try {
        root(JsonReader.read(text));
        return;
      } catch (Unreadable e) {
        if (name.endsWith(".json")) {
          throw e;
        }
      }
    }
    for (Node root : YamlReader.read(text)) {
      root(root);
    }
  }

  private static boolean looksLikeJson(String text) {
    String start = text.stripLeading();
    return start.startsWith("{") || start.startsWith("[");
  }

  private void root(Node root) {
    List<Node> dashboards = DashboardReader.dashboards(root);
    if (!dashboards.isEmpty()) {
      dashboards.forEach(board -> new DashboardReader(document).read(board));
    } else if (root.text("kind").equals("PersesDashboard") || isPerses(root)) {
      new PersesReader(document).read(root);
    } else {
      new ManifestReader(document, this::embedded).read(root);
    }
  }

  private static boolean isPerses(Node root) {
    return root.text("kind").equals("Dashboard") && root.at("spec", "panels") != null;
  }

  /** A document that stands as text in another. */
  private void embedded(MappedText text) {
    try {
      document(text, "");
    } catch (Unreadable e) {
      document.note(
          "the text at line %d holds no document: %s"
              .formatted(document.file().line(e.place()), e.getMessage()));
    }
  }
}
