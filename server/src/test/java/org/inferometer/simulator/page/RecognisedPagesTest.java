package org.inferometer.simulator.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.inferometer.check.Checker;
import org.inferometer.check.EndpointReport;
import org.inferometer.check.Part;
import org.inferometer.check.SavedPage;
import org.inferometer.model.Version;
import org.inferometer.signals.Catalogue;
import org.inferometer.signals.Facts;
import org.inferometer.signals.Goals;
import org.inferometer.signals.VersionRange;
import org.inferometer.time.Ticker;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the product itself takes the pages for. */
class RecognisedPagesTest {
  private static final Checker CHECKER =
      new Checker(
          Catalogue.builtIn(),
          Goals.NONE,
          Facts.NONE,
          () -> VllmSample.EPOCH_MS + VllmSample.NOW_NS / 1_000_000,
          Ticker.system(),
          ms -> {},
          0);

  @ParameterizedTest
  @CsvSource({
    "vllm, 0.8.5, python",
    "vllm, 0.8.5, multiprocess",
    "vllm, 0.11.2, python",
    "vllm, 0.11.2, multiprocess",
    "vllm, 0.15.1, python",
    "vllm, 0.15.1, multiprocess",
    "vllm, 0.31.0, python",
    "vllm, 0.31.0, multiprocess",
    "vllm, 0.31.0, rust",
    "sglang, 0.4.0, ''",
    "sglang, 0.5.6, ''",
    "sglang, 0.5.12, ''",
    "tgi, 3.3.0, ''",
  })
  void page_isTakenForWhatItClaimsToBe(String page, String release, String frontend)
      throws InterruptedException {
    String text = VllmSample.text(page, release, frontend);
    EndpointReport report =
        CHECKER.check(new SavedPage("page", text.getBytes(StandardCharsets.UTF_8)));
    assertThat(report.parts()).as(report.verdict()).hasSize(1);
    Part part = report.parts().getFirst();
    assertThat(part.engine().id()).isEqualTo(page);
    assertThat(holds(part.version(), Version.parse(release)))
        .as("%s holds %s", part.version(), release)
        .isTrue();
  }

  private static boolean holds(@Nullable VersionRange range, Version release) {
    return range == null
        || ((range.low() == null || !Version.parse(range.low()).isAfter(release))
            && (range.high() == null || !release.isAfter(Version.parse(range.high()))));
  }
}
