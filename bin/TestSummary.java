import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/** Adds up the reports of a test run: the skipped tests with their reasons, then one line. */
final class TestSummary {
  private int run;
  private int failed;
  private final List<String> skipped = new ArrayList<>();

  public static void main(String[] folders) throws Exception {
    TestSummary summary = new TestSummary();
    for (String folder : folders) {
      for (Path report : reports(Path.of(folder))) {
        summary.add(report);
      }
    }
    summary.print();
    System.exit(summary.failed > 0 || summary.run == 0 ? 1 : 0);
  }

  private static List<Path> reports(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(file -> file.getFileName().toString().matches("TEST-.*\\.xml")).toList();
    }
  }

  private void add(Path report) throws Exception {
    var document = DocumentBuilderFactory.newDefaultInstance().newDocumentBuilder();
    var cases = document.parse(report.toFile()).getElementsByTagName("testcase");
    for (int i = 0; i < cases.getLength(); i++) {
      add((Element) cases.item(i));
    }
  }

  private void add(Element test) {
    run++;
    for (Node node = test.getFirstChild(); node != null; node = node.getNextSibling()) {
      if (node instanceof Element outcome) {
        switch (outcome.getTagName()) {
          case "failure", "error" -> failed++;
          case "skipped" -> skipped.add(nameOf(test) + ": " + reasonOf(outcome));
          default -> {}
        }
      }
    }
  }

  private static String nameOf(Element test) {
    String type = test.getAttribute("classname");
    return type.substring(type.lastIndexOf('.') + 1) + "." + test.getAttribute("name");
  }

  private static String reasonOf(Element outcome) {
    String message = outcome.getAttribute("message").strip();
    return message.isEmpty() ? "no reason given" : message.lines().findFirst().orElseThrow();
  }

  private void print() {
    skipped.stream().sorted().forEach(line -> System.out.println("skipped: " + line));
    System.out.printf(
        "%d passed, %d failed, %d skipped%n", run - failed - skipped.size(), failed, skipped.size());
  }
}
