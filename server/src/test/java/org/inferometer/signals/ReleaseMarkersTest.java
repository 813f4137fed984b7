package org.inferometer.signals;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Objects;
import org.junit.jupiter.api.Test;

class ReleaseMarkersTest {
  private static final String SIGNALS =
      "  - {name: running, title: R, layer: engine, unit: count, kind: gauge, meaning: M.}\n";
  private static final String DIALECT =
      """
        - signal: running
          from:
            - {query: "sum by ($by) (e_running{$scope})", quality: exact}
      """;
  private static final String MARKERS =
      """
      markers:
        - {family: e_users, since: "0.4"}
        - {absent: e_wait_count, given: e_running, last: "0.10"}
      """;

  @Test
  void familiesTellReleasesApart() {
    VersionRange range = range("", "e_users 1\n");
    assertThat(range.text()).isEqualTo("0.5 to 0.9");
    assertThat(range.because())
        .isEqualTo("it has e_users, so since 0.5; it has e_users, so 0.9 at most");
    assertThat(range("", "e_wait_sum 1\n").text()).isEqualTo("0.10.2 or newer");
    assertThat(range("", "e_wait_created 1\n").text()).isEqualTo("unknown");
  }

  @Test
  void yearsAndMonthsAreNoReleases() {
    assertThat(range("", "e_blocks 1\n").because()).isEqualTo("nothing seen tells releases apart");
  }

  @Test
  void whatIsStatedGoesBeforeWhatTheFamilySays() {
    assertThat(range(MARKERS, "e_users 1\n").text()).isEqualTo("0.4 or newer");
  }

  @Test
  void absencesCountOnlyIfStated() {
    assertThat(range("", "e_running 1\n").text()).isEqualTo("unknown");
    assertThat(range(MARKERS, "e_running 1\n").text()).isEqualTo("0.10 or older");
  }

  @Test
  void contradictions() {
    VersionRange range = range("", "e_users 1\ne_wait_sum 1\n");
    assertThat(range.text()).isEqualTo("unknown");
    assertThat(range.because()).startsWith("the names contradict each other: ");
  }

  private static VersionRange range(String markers, String page) {
    Catalogue catalogue = TestCatalogue.of(SIGNALS, DIALECT + markers);
    return Objects.requireNonNull(
        new Recognition(catalogue)
            .recognise(Dump.of("page", page).facts(catalogue))
            .getFirst()
            .version());
  }
}
