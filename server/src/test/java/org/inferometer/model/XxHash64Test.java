package org.inferometer.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class XxHash64Test {
  /** Vectors that the libraries cespare/xxhash and python-xxhash publish. */
  @ParameterizedTest
  @CsvSource({
    "'', ef46db3751d8e999",
    "a, d24ec4f1a98c6e5b",
    "as, 1c330fb2d66be179",
    "asd, 631c37ce72a97393",
    "asdf, 415872f599cea71e",
    "abc, 44bc2cf5ad770999",
    "Nobody inspects the spammish repetition, fbcea83c8a378bf1",
    "Call me Ishmael. Some years ago--never mind how long precisely-, 02a2e85470d6fd96"
  })
  void hashIsThePublishedOne(String text, String hash) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    assertThat(XxHash64.of(bytes, bytes.length)).isEqualTo(Long.parseUnsignedLong(hash, 16));
  }

  @ParameterizedTest
  @CsvSource({"abcd, 3, 44bc2cf5ad770999", "abcd, 0, ef46db3751d8e999"})
  void bytesBeyondTheLengthDoNotCount(String text, int length, String hash) {
    assertThat(XxHash64.of(text.getBytes(StandardCharsets.UTF_8), length))
        .isEqualTo(Long.parseUnsignedLong(hash, 16));
  }
}
