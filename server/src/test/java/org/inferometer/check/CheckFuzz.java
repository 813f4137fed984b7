package org.inferometer.check;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/** A target for Jazzer: whatever an endpoint sends, there is a report on it. */
public final class CheckFuzz {
  private CheckFuzz() {}

  public static void fuzzerTestOneInput(FuzzedDataProvider data) {
    check(data.consumeRemainingAsBytes());
  }

  /** Checks pages that are bytes, once as they are and once as what came with an error. */
  static void check(byte[] page) {
    String text = new String(page, StandardCharsets.UTF_8);
    RefusedPage.words(text);
    RefusedPage.unquoted(page);
    try {
      EndpointReport report =
          FakeEndpoint.serving(text).check((service, model) -> Map.of("ttft_p95", 0.5));
      StringWriter json = new StringWriter();
      try (JsonGenerator generator = new JsonFactory().createGenerator(json)) {
        CheckJson.write(generator, 0, List.of(report));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
