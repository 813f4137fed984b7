package org.inferometer.exposition;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.inferometer.Shared;
import org.inferometer.model.Labels;

/**
 * A body and what Prometheus 2.42 made of it.
 *
 * @param stored series stored at the time of the scrape
 * @param complete whether the record of what was stored isn't cut off
 */
record OracleCase(
    String name,
    byte[] body,
    boolean accepted,
    int samples,
    Map<Labels, Double> stored,
    boolean complete) {

  private static final ObjectMapper JSON = new ObjectMapper();

  @Override
  public String toString() {
    return name;
  }

  static List<OracleCase> text() throws IOException {
    List<OracleCase> cases = new ArrayList<>();
    for (String line : rows("promql/exposition/text-cases.tsv")) {
      String[] cells = line.split("\t", -1);
      cases.add(of(cells, unescape(asSent(cells[0], cells[5]))));
    }
    return cases;
  }

  /** Two bodies aren't in the table as they were sent: one was cut off, one has no text form. */
  private static byte[] asSent(String name, String cell) {
    return switch (name) {
      case "long_value" -> (cell + "\"} 1\\n").getBytes(StandardCharsets.UTF_8);
      case "bad_utf8" -> cell.replace("\\\\xff", "\u00ff").getBytes(StandardCharsets.ISO_8859_1);
      default -> cell.getBytes(StandardCharsets.UTF_8);
    };
  }

  static List<OracleCase> openMetrics() throws IOException {
    List<OracleCase> cases = new ArrayList<>();
    for (String line : rows("promql/exposition/openmetrics/oracle-2.42.tsv")) {
      String[] cells = line.split("\t", -1);
      Path body = Shared.path("promql/exposition/openmetrics/" + cells[0] + ".om");
      cases.add(of(cells, Files.readAllBytes(body)));
    }
    return cases;
  }

  static List<String> rows(String path) throws IOException {
    List<String> lines = Files.readAllLines(Shared.path(path));
    return lines.subList(1, lines.size());
  }

  private static OracleCase of(String[] cells, byte[] body) throws IOException {
    Map<Labels, Double> stored = new HashMap<>();
    boolean complete = true;
    for (String entry : cells[4].isEmpty() ? new String[0] : cells[4].split(" ; ?(?=\\{|$)", -1)) {
      int brace = entry.lastIndexOf('}');
      if (!entry.isEmpty() && brace > 0 && brace + 2 < entry.length()) {
        stored.put(labels(entry.substring(0, brace + 1)), value(entry.substring(brace + 2)));
      } else {
        complete = false;
      }
    }
    return new OracleCase(
        cells[0], body, cells[1].equals("yes"), Integer.parseInt(cells[2]), stored, complete);
  }

  private static double value(String text) {
    return Double.parseDouble(text.replace("Inf", "Infinity"));
  }

  private static Labels labels(String json) throws IOException {
    Map<String, String> labels = new HashMap<>();
    for (Map.Entry<String, JsonNode> field : JSON.readTree(json).properties()) {
      labels.put(field.getKey(), field.getValue().textValue());
    }
    return Labels.of(labels);
  }

  /** Undoes the escapes of the table: \n, \t, \r, \0 and \\. */
  private static byte[] unescape(byte[] in) {
    byte[] out = new byte[in.length];
    int length = 0;
    for (int i = 0; i < in.length; i++) {
      byte b = in[i];
      if (b == '\\') {
        i++;
        b =
            switch (in[i]) {
              case 'n' -> (byte) '\n';
              case 't' -> (byte) '\t';
              case 'r' -> (byte) '\r';
              case '0' -> (byte) 0;
              case '\\' -> (byte) '\\';
              default -> throw new IllegalArgumentException("escape " + (char) in[i]);
            };
      }
      out[length++] = b;
    }
    return Arrays.copyOf(out, length);
  }
}
