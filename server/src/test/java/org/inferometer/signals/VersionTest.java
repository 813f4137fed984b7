package org.inferometer.signals;

import static org.assertj.core.api.Assertions.assertThat;

import org.inferometer.model.Version;
import org.junit.jupiter.api.Test;

class VersionTest {
  @Test
  void aReleaseLineTakesInItsPatches() {
    assertThat(Version.parse("0.11.2").isAfter(Version.parse("0.11"))).isFalse();
    assertThat(Version.parse("0.12").isAfter(Version.parse("0.11"))).isTrue();
    assertThat(Version.parse("0.9").isAfter(Version.parse("0.10"))).isFalse();
  }

  @Test
  void orderIsByNumbersNotText() {
    assertThat(Version.parse("0.10")).isGreaterThan(Version.parse("0.9.2"));
    assertThat(Version.parse("0.10").compareTo(Version.parse("0.10.0"))).isZero();
  }

  @Test
  void whatAReleaseLooksLike() {
    assertThat(Version.isVersion("0.10.2")).isTrue();
    assertThat(Version.isVersion("v0.10")).isFalse();
    assertThat(Version.isVersion("0.10.")).isFalse();
    assertThat(Version.isVersion("99999999999")).isFalse();
  }

  @Test
  void rangesInWords() {
    Version low = Version.parse("0.8");
    Version high = Version.parse("0.9");
    assertThat(VersionRange.between(low, high, "").text()).isEqualTo("0.8 to 0.9");
    assertThat(VersionRange.between(low, null, "").text()).isEqualTo("0.8 or newer");
    assertThat(VersionRange.between(null, high, "").text()).isEqualTo("0.9 or older");
    assertThat(VersionRange.between(low, low, "").text()).isEqualTo("0.8");
    assertThat(VersionRange.between(null, null, "").text()).isEqualTo("unknown");
  }
}
