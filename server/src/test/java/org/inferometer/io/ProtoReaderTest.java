package org.inferometer.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProtoReaderTest {
  private static ProtoReader reader(String hex) {
    return new ProtoReader(HexFormat.of().parseHex(hex.replace(" ", "")));
  }

  /** The examples of the encoding's own description. */
  @Test
  void examplesOfTheDescription() throws ProtoException {
    ProtoReader number = reader("08 96 01");
    assertThat(number.next()).isTrue();
    assertThat(number.field()).isEqualTo(1);
    assertThat(number.varint()).isEqualTo(150);
    assertThat(number.next()).isFalse();

    ProtoReader text = reader("12 07 74 65 73 74 69 6e 67");
    assertThat(text.next()).isTrue();
    assertThat(text.field()).isEqualTo(2);
    assertThat(text.string()).isEqualTo("testing");

    ProtoReader nested = reader("1a 03 08 96 01");
    assertThat(nested.next()).isTrue();
    ProtoReader inner = nested.message();
    assertThat(inner.next()).isTrue();
    assertThat(inner.varint()).isEqualTo(150);
    assertThat(inner.next()).isFalse();
    assertThat(nested.next()).isFalse();

    List<Long> packed = new ArrayList<>();
    ProtoReader list = reader("32 06 03 8e 02 9e a7 05");
    assertThat(list.next()).isTrue();
    list.varints(packed::add);
    assertThat(packed).containsExactly(3L, 270L, 86942L);
  }

  @Test
  void negativeNumbersTakeTenBytesOrZigzag() throws ProtoException {
    ProtoReader number = reader("08 fe ff ff ff ff ff ff ff ff 01");
    assertThat(number.next()).isTrue();
    assertThat(number.varint()).isEqualTo(-2);

    ProtoReader zigzag = reader("08 03 08 ff ff ff ff ff ff ff ff ff 01");
    assertThat(zigzag.next()).isTrue();
    assertThat(zigzag.zigzag()).isEqualTo(-2);
    assertThat(zigzag.next()).isTrue();
    assertThat(zigzag.zigzag()).isEqualTo(Long.MIN_VALUE);
  }

  @Test
  void unreadFieldsOfAnyKindAreSkipped() throws ProtoException {
    byte[] message =
        new ProtoWriter()
            .varint(1, Long.MIN_VALUE)
            .fixed64(2, 7)
            .fixed32(3, 7)
            .string(4, "left out")
            .message(5, inner -> inner.varint(1, 1))
            .varint(6, 42)
            .toByteArray();
    ProtoReader reader = new ProtoReader(message);
    for (int field = 1; field <= 6; field++) {
      assertThat(reader.next()).isTrue();
      assertThat(reader.field()).isEqualTo(field);
    }
    assertThat(reader.varint()).isEqualTo(42);
    assertThat(reader.next()).isFalse();
  }

  @Test
  void partOfAnArrayIsReadWithoutWhatIsAroundIt() throws ProtoException {
    byte[] bytes = HexFormat.of().parseHex("ffff089601ffff");
    ProtoReader reader = new ProtoReader(bytes, 2, 3);
    assertThat(reader.next()).isTrue();
    assertThat(reader.varint()).isEqualTo(150);
    assertThat(reader.next()).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "08,                               a whole varint",
    "08 80,                            a whole varint",
    "08 ff ff ff ff ff ff ff ff ff ff 01, a varint of ten bytes at most",
    "09 00 00 00,                      8 bytes",
    "0d 00 00,                         4 bytes",
    "0a 05 41,                         a length within the 1 bytes left",
    "0a ff ff ff ff ff ff ff ff ff 01, a length within the 0 bytes left",
    "0a ff ff ff ff 07,                a length within the 0 bytes left",
    "0b,                               a field with a number",
    "0c,                               a field with a number",
    "0e,                               a field with a number",
    "00,                               a field with a number",
    "f8 ff ff ff ff 01,                a field with a number",
  })
  void brokenMessagesSayWhatWasExpected(String hex, String expected) {
    ProtoReader reader = reader(hex);
    assertThatExceptionOfType(ProtoException.class)
        .isThrownBy(
            () -> {
              while (reader.next()) {
                // The values are skipped.
              }
            })
        .withMessageContaining(expected);
  }

  @Test
  void lengthOfInnerMessageIsCheckedAgainstTheOuterOne() {
    // The inner string's length reaches beyond the inner message, though not beyond the array.
    ProtoReader reader = reader("0a 02 0a 03 41 41 41");
    assertThatExceptionOfType(ProtoException.class)
        .isThrownBy(
            () -> {
              reader.next();
              ProtoReader inner = reader.message();
              inner.next();
              inner.string();
            })
        .withMessage("byte 3: expected a length within the 0 bytes left, got 3");
  }

  @Test
  void anotherWireTypeThanAskedForIsAnError() throws ProtoException {
    ProtoReader reader = reader("08 01");
    reader.next();
    assertThatExceptionOfType(ProtoException.class)
        .isThrownBy(reader::string)
        .withMessage("byte 1: expected field 1 with wire type 2, got 0");
  }

  @Test
  void packedDoublesMustBeWhole() throws ProtoException {
    ProtoReader reader = reader("0a 09 00 00 00 00 00 00 f0 3f 00");
    reader.next();
    assertThatExceptionOfType(ProtoException.class).isThrownBy(() -> reader.float64s(v -> {}));
  }

  @Test
  void valueIsReadOnce() throws ProtoException {
    ProtoReader reader = reader("08 01");
    reader.next();
    reader.varint();
    assertThatIllegalStateException().isThrownBy(reader::varint);
  }

  @Test
  void textMustBeUtf8() throws ProtoException {
    ProtoReader broken = reader("0a 02 c3 28");
    broken.next();
    assertThatExceptionOfType(ProtoException.class)
        .isThrownBy(broken::string)
        .withMessageContaining("text in UTF-8");

    ProtoReader replacement =
        new ProtoReader(new ProtoWriter().string(1, "a\uFFFDb").toByteArray());
    replacement.next();
    assertThat(replacement.string()).isEqualTo("a\uFFFDb");
  }

  @Test
  void nanKeepsItsBits() throws ProtoException {
    double stale = Double.longBitsToDouble(0x7ff0000000000002L);
    ProtoReader reader = new ProtoReader(new ProtoWriter().float64(1, stale).toByteArray());
    reader.next();
    assertThat(Double.doubleToRawLongBits(reader.float64())).isEqualTo(0x7ff0000000000002L);
  }

  @Test
  void sequenceOfMessages() throws ProtoException {
    byte[] bytes =
        new ProtoWriter()
            .delimited(first -> first.string(1, "x".repeat(200)))
            .delimited(second -> {})
            .delimited(third -> third.varint(1, 3))
            .toByteArray();
    ProtoReader reader = new ProtoReader(bytes);
    List<Integer> fields = new ArrayList<>();
    ProtoReader message = new ProtoReader(new byte[0]);
    while (reader.nextDelimited(message)) {
      int count = 0;
      while (message.next()) {
        count++;
      }
      fields.add(count);
    }
    assertThat(fields).containsExactly(1, 0, 1);
  }

  /** Whatever the bytes are, reading ends, with an exception of the one kind or without. */
  @Test
  void anyBytesAreReadToAnEnd() {
    SplittableRandom random = new SplittableRandom(20);
    int broken = 0;
    for (int i = 0; i < 50_000; i++) {
      byte[] bytes = new byte[random.nextInt(40)];
      random.nextBytes(bytes);
      if (random.nextBoolean() && bytes.length > 1) {
        bytes[0] = (byte) (random.nextInt(1, 5) << 3 | 2);
        bytes[1] = (byte) random.nextInt(bytes.length + 2);
      }
      if (!readsWhole(new ProtoReader(bytes), random, 0)) {
        broken++;
      }
    }
    assertThat(broken).isBetween(1_000, 49_999);
  }

  private static boolean readsWhole(ProtoReader reader, SplittableRandom random, int depth) {
    try {
      while (reader.next()) {
        switch (random.nextInt(8)) {
          case 0 -> reader.varint();
          case 1 -> reader.fixed64();
          case 2 -> reader.fixed32();
          case 3 -> reader.string();
          case 4 -> reader.bytes();
          case 5 -> reader.float64s(v -> {});
          case 6 -> readsWhole(reader.message(), random, depth + 1);
          default -> reader.varints(v -> {});
        }
      }
      return true;
    } catch (ProtoException e) {
      return false;
    }
  }

  /** What a changed byte makes of a whole message is read to an end too. */
  @Test
  void changedAndCutMessagesAreReadToAnEnd() {
    SplittableRandom random = new SplittableRandom(21);
    byte[] whole =
        new ProtoWriter()
            .message(1, m -> m.string(1, "name").string(2, "value"))
            .message(2, m -> m.float64(1, 1.5).varint(2, 1_700_000_000_000L))
            .float64s(3, 1, 2, 3)
            .zigzags(4, -1, 1, Long.MAX_VALUE)
            .toByteArray();
    for (int i = 0; i < 20_000; i++) {
      byte[] bytes = whole.clone();
      bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
      readsWhole(new ProtoReader(bytes, 0, random.nextInt(bytes.length + 1)), random, 0);
    }
  }

  @Test
  void textOfAllLengthsSurvives() throws ProtoException {
    for (int length : new int[] {0, 1, 126, 127, 128, 129, 16_383, 16_384, 70_000}) {
      String text = "é".repeat(length / 2) + "x".repeat(length % 2);
      byte[] bytes = new ProtoWriter(0).message(3, m -> m.string(9, text)).toByteArray();
      ProtoReader reader = new ProtoReader(bytes);
      reader.next();
      ProtoReader inner = reader.message();
      inner.next();
      assertThat(inner.bytes()).isEqualTo(text.getBytes(StandardCharsets.UTF_8));
      assertThat(reader.next()).isFalse();
    }
  }

  @Test
  void reusedReader_isAsNew() throws ProtoException {
    ProtoReader reader = reader("02 08 07 06 1a 04 08 01 10 02");
    ProtoReader message = new ProtoReader(new byte[0]);
    ProtoReader inner = new ProtoReader(new byte[0]);
    assertThat(reader.nextDelimited(message)).isTrue();
    assertThat(message.next()).isTrue();
    // Left unread, which the next message must not notice.
    assertThat(reader.nextDelimited(message)).isTrue();
    assertThat(message.position()).isEqualTo(4);
    assertThat(message.end()).isEqualTo(10);
    assertThat(message.next()).isTrue();
    message.message(inner);
    assertThat(inner.position()).isEqualTo(6);
    assertThat(inner.next()).isTrue();
    assertThat(inner.varint()).isEqualTo(1);
    assertThat(inner.next()).isTrue();
    assertThat(inner.varint()).isEqualTo(2);
    assertThat(inner.next()).isFalse();
    assertThat(message.next()).isFalse();
    assertThat(reader.nextDelimited(message)).isFalse();
    message.reset(new byte[] {8, 9}, 0, 2);
    assertThat(message.next()).isTrue();
    assertThat(message.varint()).isEqualTo(9);
  }

  @Test
  void lengthThatLies_isToldWithItsPlace() {
    ProtoReader reader = reader("00 05 08 01");
    ProtoReader message = new ProtoReader(new byte[0]);
    assertThatExceptionOfType(ProtoException.class)
        .isThrownBy(
            () -> {
              while (reader.nextDelimited(message)) {}
            })
        .satisfies(e -> assertThat(e.position()).isEqualTo(1))
        .satisfies(
            e -> assertThat(e.expected()).isEqualTo("a length within the 2 bytes left, got 5"))
        .withMessage("byte 1: expected a length within the 2 bytes left, got 5");
  }
}
