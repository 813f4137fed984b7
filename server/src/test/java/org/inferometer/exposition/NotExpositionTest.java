package org.inferometer.exposition;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Optional;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NotExpositionTest {
  private static Optional<String> explain(byte[] body) {
    return NotExposition.explain(body, body.length);
  }

  private static Optional<String> explain(String body) {
    return explain(body.getBytes(ISO_8859_1));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "''|is empty",
        "' \n '|is blank",
        "'<!DOCTYPE html><html><head><title>Sign \n in</title>'|title \"Sign in\"",
        "'<html>'|HTML page, not",
        "'<?xml version=\"1.0\"?><x/>'|is XML",
        "'{\"detail\":\"Not Found\"}'|is JSON",
        "'{}'|is JSON",
        "'[]'|empty JSON list",
        "'[{\"cpuMemUsage\":1,\"iter\":5,\"iterLatencyMS\":10.5,\"kvCacheStats\":{}}]'|TensorRT-LLM",
        "'[{\"inflightBatchingStats\":{\"numScheduledRequests\":1}}]'|TensorRT-LLM",
        "'404 page not found\n'|it says: 404 page not found",
        "'HTTP/1.1 200 OK\n\na 1'|HTTP headers"
      })
  void explained(String body, String words) {
    assertThat(explain(body)).hasValueSatisfying(text -> assertThat(text).contains(words));
  }

  @Test
  void gzip() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(bytes)) {
      gzip.write(Bodies.bytes("a 1\n"));
    }
    assertThat(explain(bytes.toByteArray()))
        .hasValueSatisfying(t -> assertThat(t).contains("gzip"));
  }

  @Test
  void protobuf_andOtherBinaryData() {
    String family = "\n\u0005a_sum\u0012\u0001x\u0018\u0000";
    assertThat(explain((char) family.length() + family).orElse("")).contains("protobuf");
    assertThat(explain("\u0001\u0002\u0003\u0004\u0005").orElse("")).contains("binary data");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a 1",
        "# HELP a b",
        "\n\n# x",
        "{\"a.b\"} 1",
        "{\"a.b\",c=\"d\"} 1",
        "{\"a\"=\"b\"} 1",
        "a{b=\"c\"}1",
        "bad line\na NaN\n",
        "\u00ef\u00bb\u00bfa 1\n"
      })
  void mayBeMetrics(String body) {
    assertThat(explain(body)).isEmpty();
  }
}
