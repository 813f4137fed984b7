package org.inferometer.acceptance.peers;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** A message of the protobuf exposition, field by field, and a page of them. */
public final class Families {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

  public Families varint(int field, long value) {
    raw((long) field << 3);
    raw(value);
    return this;
  }

  public Families signed(int field, long value) {
    return varint(field, (value << 1) ^ (value >> 63));
  }

  public Families number(int field, double value) {
    raw(((long) field << 3) | 1);
    bytes.writeBytes(
        ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putDouble(value).array());
    return this;
  }

  public Families text(int field, String value) {
    raw(((long) field << 3) | 2);
    return delimited(value.getBytes(StandardCharsets.UTF_8));
  }

  public Families message(int field, Families value) {
    raw(((long) field << 3) | 2);
    return delimited(value.bytes());
  }

  /** Signed numbers in one field. */
  public Families signedList(int field, long... values) {
    Families packed = new Families();
    for (long value : values) {
      packed.raw((value << 1) ^ (value >> 63));
    }
    return message(field, packed);
  }

  /** A message behind its length, as a page has them. */
  public Families family(Families value) {
    return delimited(value.bytes());
  }

  private Families delimited(byte[] content) {
    raw(content.length);
    bytes.writeBytes(content);
    return this;
  }

  private void raw(long value) {
    long rest = value;
    while ((rest & ~0x7fL) != 0) {
      bytes.write((int) ((rest & 0x7f) | 0x80));
      rest >>>= 7;
    }
    bytes.write((int) rest);
  }

  public byte[] bytes() {
    return bytes.toByteArray();
  }
}
