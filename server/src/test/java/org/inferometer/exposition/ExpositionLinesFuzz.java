package org.inferometer.exposition;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/**
 * A target for Jazzer: bodies put together from pieces that are often valid, so that it gets deep.
 */
public final class ExpositionLinesFuzz {
  private static final String[] PIECES = {
    "a",
    "a_total",
    "a_bucket",
    "{",
    "}",
    "=",
    ",",
    "\"",
    "\\",
    "\\n",
    "le=\"1\"",
    "b=\"c\"",
    " ",
    "\t",
    "\n",
    "1",
    "-1",
    "0.5",
    "1e3",
    "NaN",
    "+Inf",
    " # {t=\"u\"} 1",
    " 1700000000",
    "# TYPE a counter\n",
    "# TYPE a histogram\n",
    "# HELP a text\n",
    "# UNIT a_s s\n",
    "# EOF\n"
  };

  private ExpositionLinesFuzz() {}

  public static void fuzzerTestOneInput(FuzzedDataProvider data) {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    while (data.remainingBytes() > 0 && body.size() < 1 << 16) {
      if (data.consumeInt(0, 15) == 0) {
        body.writeBytes(data.consumeBytes(4));
      } else {
        body.writeBytes(data.pickValue(PIECES).getBytes(StandardCharsets.UTF_8));
      }
    }
    ExpositionProperties.check(body.toByteArray());
  }
}
