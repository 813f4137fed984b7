package org.inferometer.exposition;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FormatTest {
  @ParameterizedTest
  @CsvSource({
    "text/plain, TEXT",
    "text/plain; version=0.0.4; charset=utf-8, TEXT",
    "' Text/Plain ;version=1.0.0', TEXT",
    "application/openmetrics-text; version=1.0.0; charset=utf-8, OPENMETRICS",
    "application/openmetrics-text, OPENMETRICS",
    "application/vnd.google.protobuf, PROTOBUF",
    "'application/vnd.google.protobuf; encoding=delimited', PROTOBUF",
    "'application/vnd.google.protobuf; proto=io.prometheus.client.MetricFamily;"
        + " encoding=delimited; escaping=underscores', PROTOBUF"
  })
  void supported(String contentType, Format format) {
    assertThat(Format.of(contentType)).isEqualTo(new Format.Answer.Supported(format));
  }

  @ParameterizedTest
  @CsvSource({
    "text/html; charset=utf-8, text/html",
    "application/json, application/json",
    "'application/vnd.google.protobuf; proto=io.prometheus.client.MetricFamily; encoding=text',"
        + " application/vnd.google.protobuf;encoding=text",
    "'application/vnd.google.protobuf; proto=a.B; encoding=delimited',"
        + " application/vnd.google.protobuf;proto=a.B",
    "nonsense, ''",
    "/, ''",
    "'', ''"
  })
  void unsupported(String contentType, String mediaType) {
    assertThat(Format.of(contentType)).isEqualTo(new Format.Answer.Unsupported(mediaType));
  }

  @Test
  void absentHeader_isUnsupported() {
    assertThat(Format.of(null)).isEqualTo(new Format.Answer.Unsupported(""));
  }

  @ParameterizedTest
  @CsvSource({
    "'', TEXT",
    "*/*, TEXT",
    "text/html, TEXT",
    "application/openmetrics-text, OPENMETRICS",
    "application/openmetrics-text;q=0, TEXT",
    "application/openmetrics-text;version=9.9.9, TEXT",
    "'application/openmetrics-text;version=\"1.0.0\";q=0.5,text/plain;q=0.4', OPENMETRICS",
    "'application/openmetrics-text;q=0.3, text/plain;q=0.4', TEXT",
    "application/openmetrics-text;q=x, TEXT"
  })
  void forAccept(String accept, Format format) {
    assertThat(Format.forAccept(accept)).isEqualTo(format);
  }

  @Test
  void acceptHeaderOfPrometheus_asksForOpenMetrics_protobufIsNotServed() {
    String text =
        "application/openmetrics-text;version=1.0.0;escaping=allow-utf-8;q=0.5,"
            + "text/plain;version=0.0.4;q=0.3,*/*;q=0.2";
    assertThat(Format.forAccept(text)).isEqualTo(Format.OPENMETRICS);
    assertThat(Format.forAccept(Format.PROTOBUF.contentType() + ";q=0.6," + text))
        .isEqualTo(Format.OPENMETRICS);
    assertThat(Format.forAccept(null)).isEqualTo(Format.TEXT);
  }
}
