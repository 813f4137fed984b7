package org.inferometer.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SnappyTest {
  private static byte[] bytes(String hex) {
    return HexFormat.of().parseHex(hex.replace(" ", ""));
  }

  private static String text(String hex) throws SnappyException {
    return new String(Snappy.decompress(bytes(hex)), StandardCharsets.US_ASCII);
  }

  /** Blocks put together by hand from the description of the format. */
  @Test
  void everyKindOfTagIsRead() throws SnappyException {
    assertThat(text("00")).isEmpty();
    assertThat(text("03 08 616263")).isEqualTo("abc");
    assertThat(text("03 f0 02 616263")).isEqualTo("abc");
    assertThat(text("03 f4 02 00 616263")).isEqualTo("abc");
    assertThat(text("03 fc 02 00 00 00 616263")).isEqualTo("abc");
    assertThat(text("09 08 616263 09 03")).isEqualTo("abcabcabc");
    assertThat(text("05 08 616263 06 03 00")).isEqualTo("abcab");
    assertThat(text("05 08 616263 07 01 00 00 00")).isEqualTo("abccc");
  }

  @ParameterizedTest
  @CsvSource({
    "'',                     another byte",
    "80,                     another byte",
    "80 80 80 80 80 01,      a length of five bytes at most",
    "ff ff ff ff 0f 00,      a length of at most 21",
    "ff ff 03 00 61,         a length of at most 42",
    "03 08 6162,             a literal that fits",
    "02 08 616263,           a literal that fits",
    "03 fc ff ff ff ff 61,   a literal that fits",
    "03 fc ff ff ff 7f 61,   a literal that fits",
    "05 08 616263 06 04 00,  a copy that fits",
    "05 08 616263 06 00 00,  a copy that fits",
    "05 08 616263 07 00 00 00 80, a copy that fits",
    "04 08 616263 06 01 00,  a copy that fits",
    "05 08 616263 06 01,     another byte",
    "05 08 616263,           5 decompressed bytes as declared",
  })
  void brokenBlocksSayWhatWasExpected(String hex, String expected) {
    assertThatExceptionOfType(SnappyException.class)
        .isThrownBy(() -> Snappy.decompress(bytes(hex)))
        .withMessageContaining(expected);
  }

  @Test
  void whatIsCompressedIsDecompressed() throws SnappyException {
    for (int seed = 0; seed < 600; seed++) {
      byte[] bytes = anything(new SplittableRandom(seed));
      byte[] block = Snappy.compress(bytes, bytes.length);
      assertThat(Snappy.uncompressedLength(block)).isEqualTo(bytes.length);
      assertThat(Snappy.decompress(block)).as("seed %d", seed).isEqualTo(bytes);
    }
  }

  /** Of few or many different bytes, with stretches that are repeated from before. */
  private static byte[] anything(SplittableRandom random) {
    byte[] bytes = new byte[random.nextInt(1 << random.nextInt(1, 18))];
    int different = 1 << random.nextInt(9);
    for (int i = 0; i < bytes.length; ) {
      int length = Math.min(bytes.length - i, random.nextInt(1, 200));
      int from = i == 0 || random.nextInt(3) == 0 ? -1 : random.nextInt(i);
      for (int end = i + length; i < end; i++) {
        bytes[i] = from < 0 ? (byte) random.nextInt(different) : bytes[from++];
      }
    }
    return bytes;
  }

  @Test
  void onlyTheFirstBytesAreCompressed() throws SnappyException {
    byte[] block = Snappy.compress("abcdefgh".getBytes(StandardCharsets.US_ASCII), 3);
    assertThat(Snappy.decompress(block)).asString().isEqualTo("abc");
  }

  @Test
  void repeatedTextShrinks() {
    byte[] text = "http_requests_total{code=\"200\"}".repeat(1000).getBytes(StandardCharsets.UTF_8);
    assertThat(Snappy.compress(text, text.length).length).isLessThan(text.length / 15);
  }

  @Test
  void anyBytesAreReadToAnEnd() {
    SplittableRandom random = new SplittableRandom(1);
    int whole = 0;
    for (int i = 0; i < 50_000; i++) {
      byte[] block = new byte[random.nextInt(60)];
      random.nextBytes(block);
      if (block.length > 0) {
        block[0] = (byte) random.nextInt(100);
      }
      try {
        Snappy.decompress(block);
        whole++;
      } catch (SnappyException e) {
        assertThat(e).hasMessageStartingWith("byte ");
      }
    }
    assertThat(whole).isBetween(1, 25_000);
  }
}
