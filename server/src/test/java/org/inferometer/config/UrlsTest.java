package org.inferometer.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class UrlsTest {
  @ParameterizedTest
  @CsvSource({
    "h:8000, http, h:8000, /metrics, true",
    "http://h:8000, http, h:8000, /metrics, true",
    "http://h:8000/, http, h:8000, /metrics, true",
    "HTTPS://h/x/y, https, h, /x/y, false",
    "h:1/m, http, h:1, /m, false",
    "[::1]:9400, http, [::1]:9400, /metrics, true",
    "127.0.0.1, http, 127.0.0.1, /metrics, true",
    "http://u:p@h:1/m, http, h:1, /m, false"
  })
  void url_becomesATarget(String url, String scheme, String address, String path, boolean probes) {
    ScrapeConfig config = Urls.scrapeConfig(url);
    assertThat(config.scheme()).isEqualTo(scheme);
    assertThat(config.targets().getFirst().addresses()).containsExactly(address);
    assertThat(config.metricsPath()).isEqualTo(path);
    assertThat(config.probePaths().isEmpty()).isEqualTo(!probes);
    assertThat(config.intervalMs()).isEqualTo(5_000);
    assertThat(config.timeoutMs()).isEqualTo(5_000);
  }

  @Test
  void query_becomesParams() {
    assertThat(Urls.scrapeConfig("h:1/federate?match[]=%7Ba%3D%22b%22%7D&match%5B%5D=c&x").params())
        .isEqualTo(Map.of("match[]", List.of("{a=\"b\"}", "c"), "x", List.of("")));
  }

  @Test
  void user_becomesBasicAuthAndIsNotShown() throws Exception {
    ScrapeConfig config = Urls.scrapeConfig("https://someone:p%40ss+word@h:1/m");
    HttpAuth.Basic basic = (HttpAuth.Basic) config.auth();
    assertThat(basic.username().reveal()).isEqualTo("someone");
    assertThat(basic.password().reveal()).isEqualTo("p@ss+word");
    assertThat(config.toString()).doesNotContain("someone").doesNotContain("ss+word");
    assertThat(config.poolName()).isEqualTo("https://h:1/m");
  }

  @Test
  void urlsOfOneHostAndPort_areToldApartByInstance() {
    List<ScrapeConfig> scrapes =
        Urls.distinct(
            Stream.of("h:1", "http://h:1/a", "http://h:1/b?x=1", "h:2/a")
                .map(Urls::scrapeConfig)
                .toList());
    assertThat(scrapes)
        .extracting(scrape -> scrape.targets().getFirst().labels().getOrDefault("instance", "-"))
        .containsExactly("-", "h:1/a", "h:1/b?x=1", "-");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "http://",
        "ftp://h:1",
        "h:99999",
        "h:x",
        "a b",
        "http://u:secret@",
        "file:///etc/passwd",
        "http://u:secret@h:1 2",
        "h:1/#x",
        "http://h:1/%zz",
        "://",
        "http://u:sec/ret@h:0"
      })
  void nonsense_isRefusedWithoutShowingThePassword(String url) {
    assertThatThrownBy(() -> Urls.scrapeConfig(url))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("found ")
        .hasMessageContaining("expected ")
        .message()
        .doesNotContain("secret")
        .doesNotContain("ret@");
  }
}
