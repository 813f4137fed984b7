package org.inferometer.check;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import org.inferometer.scrape.FailureReason;
import org.inferometer.scrape.TargetProbe;
import org.inferometer.signals.DialectProfile;
import org.jspecify.annotations.Nullable;

/** Says what came in place of metrics, and what would bring them. Thread-safe. */
final class RefusedPage {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int SAID_MAX = 200;

  /** Engines told of at a port that isn't known. */
  private static final int ENGINES_MAX = 4;

  /** Where servers put the words of an error in JSON. */
  private static final List<String> WORDS =
      List.of("/error/message", "/message", "/detail", "/error");

  private final List<DialectProfile> profiles;

  RefusedPage(List<DialectProfile> profiles) {
    this.profiles = List.copyOf(profiles);
  }

  /** Whether an endpoint answered that gave such a failure. */
  static boolean isReached(FailureReason reason) {
    return switch (reason) {
      case ADDRESS, CONNECT, TLS, TIMEOUT, CREDENTIALS, PROTOCOL, INTERNAL -> false;
      case REDIRECT,
          STATUS,
          CONTENT_TYPE,
          ENCODING,
          TRUNCATED,
          BODY_SIZE_LIMIT,
          MEMORY,
          NOT_METRICS,
          PARSE,
          SAMPLE_LIMIT,
          LABEL_LIMIT,
          NATIVE_HISTOGRAM_BUCKET_LIMIT,
          INVALID_LABELS,
          TARGET_LIMIT ->
          true;
    };
  }

  Finding failure(TargetProbe.Failure failure) {
    if (failure.reason() != FailureReason.STATUS) {
      String id = isReached(failure.reason()) ? "not-metrics" : "unreachable";
      return Finding.of(id, Weight.BLIND, failure.sentence(), null);
    }
    String said = words(failure.said());
    String says = failure.sentence() + (said.isEmpty() ? "" : " It says: " + sentence(said));
    return Finding.of("http-status", Weight.BLIND, says, fix(failure.url(), said));
  }

  /** What would make it serve metrics. */
  private @Nullable String fix(String url, String said) {
    if (said.contains("--metrics")) {
      return "llama-server --metrics ...";
    }
    if (said.contains("model") && (said.contains("missing") || said.contains("required"))) {
      return "llama-server in router mode asks for the model: " + url + "?model=NAME";
    }
    return enable(url);
  }

  /** How engines are told to serve metrics; that of the port first, else of a few. */
  private @Nullable String enable(String url) {
    List<String> lines = new ArrayList<>();
    int port = port(url);
    for (DialectProfile profile : profiles) {
      String enable = profile.enable();
      if (enable != null && profile.port() != null && profile.port() == port) {
        lines.add(profile.title() + ": " + enable);
      }
    }
    for (DialectProfile profile : lines.isEmpty() ? profiles : List.<DialectProfile>of()) {
      String enable = profile.enable();
      if (enable != null && lines.size() < ENGINES_MAX) {
        lines.add(profile.title() + ": " + enable);
      }
    }
    return lines.isEmpty() ? null : String.join("\n", lines);
  }

  private static int port(String url) {
    try {
      return URI.create(url).getPort();
    } catch (IllegalArgumentException e) {
      return -1;
    }
  }

  /** The words of an error page: of JSON its message, of text its first line. */
  static String words(String page) {
    try {
      JsonNode json = JSON.readTree(page);
      for (String pointer : WORDS) {
        JsonNode node = json == null ? null : json.at(pointer);
        if (node != null && node.isTextual()) {
          return shortened(node.asText());
        }
      }
    } catch (JsonProcessingException e) {
      // Text then.
    }
    String start = page.strip();
    return start.startsWith("<") || start.startsWith("{") ? "" : shortened(start);
  }

  private static String shortened(String text) {
    String line =
        text.strip()
            .lines()
            .findFirst()
            .orElse("")
            .replaceAll("[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}]", " ");
    return line.length() > SAID_MAX ? line.substring(0, SAID_MAX) + "..." : line;
  }

  private static String sentence(String text) {
    return text.endsWith(".") || text.endsWith("...") ? text : text + ".";
  }

  /** What to say of a page without a sample. */
  Finding page(byte[] body, @Nullable String explained, ParsedPage parsed) {
    if (explained == null) {
      String line =
          parsed.badLines.isEmpty()
              ? "it has comments only"
              : parsed.badLines.getFirst().toString();
      return Finding.of(
          "not-metrics", Weight.BLIND, "Nothing of the page can be read: " + line + ".", null);
    }
    boolean empty =
        new String(body, 0, Math.min(body.length, 64), java.nio.charset.StandardCharsets.UTF_8)
            .isBlank();
    return empty
        ? Finding.of(
            "empty-page",
            Weight.BLIND,
            explained
                + " An engine does so if its metrics are switched off, or if it hasn't"
                + " finished to start.",
            null)
        : Finding.of("not-metrics", Weight.BLIND, explained, null);
  }

  /** The text in a body that is one string of JSON, or null. */
  static @Nullable String unquoted(byte[] body) {
    if (body.length < 2 || body[0] != '"') {
      return null;
    }
    try {
      JsonNode json = JSON.readTree(body);
      return json != null && json.isTextual() ? json.asText() : null;
    } catch (IOException e) {
      return null;
    }
  }

  static Finding jsonString() {
    return new Finding(
        "json-string",
        Weight.WRONG,
        "The page is sent as one string of JSON, with quotes around it and \\n for line ends: no"
            + " scraper can read it. It was unpacked here.",
        "Upgrade llama-server to a build that has llama.cpp's pull request 17386.",
        "ggml-org/llama.cpp issue 17384");
  }
}
