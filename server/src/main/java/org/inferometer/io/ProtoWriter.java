package org.inferometer.io;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.Consumer;

/**
 * Writes one protobuf message into a growing byte array. Every call writes a field, default values
 * too; the caller leaves out what is to be left out. Not thread-safe.
 */
public final class ProtoWriter {
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

  private static final int VARINT_BYTES_MAX = 10;

  private byte[] bytes;
  private int size;

  public ProtoWriter() {
    this(256);
  }

  /**
   * @param capacity bytes that fit before the array has to grow
   */
  public ProtoWriter(int capacity) {
    bytes = new byte[capacity];
  }

  /** Bytes written. */
  public int size() {
    return size;
  }

  /** A copy of what was written. */
  public byte[] toByteArray() {
    return Arrays.copyOf(bytes, size);
  }

  /** The backing array; only the first {@link #size} bytes count. Valid until the next write. */
  public byte[] array() {
    return bytes;
  }

  /** int64, uint64, int32, uint32 and enums. */
  public ProtoWriter varint(int field, long value) {
    tag(field, ProtoReader.VARINT);
    rawVarint(value);
    return this;
  }

  /** sint32 and sint64. */
  public ProtoWriter zigzag(int field, long value) {
    return varint(field, zigzagged(value));
  }

  public ProtoWriter fixed64(int field, long value) {
    tag(field, ProtoReader.FIXED64);
    rawFixed64(value);
    return this;
  }

  public ProtoWriter fixed32(int field, int value) {
    tag(field, ProtoReader.FIXED32);
    reserve(4);
    INT.set(bytes, size, value);
    size += 4;
    return this;
  }

  /** A double with exactly these bits, whatever NaN it is. */
  public ProtoWriter float64(int field, double value) {
    return fixed64(field, Double.doubleToRawLongBits(value));
  }

  public ProtoWriter string(int field, String value) {
    return bytes(field, value.getBytes(StandardCharsets.UTF_8));
  }

  public ProtoWriter bytes(int field, byte[] value) {
    tag(field, ProtoReader.LENGTH);
    rawVarint(value.length);
    reserve(value.length);
    System.arraycopy(value, 0, bytes, size, value.length);
    size += value.length;
    return this;
  }

  /**
   * A message in a field.
   *
   * @param content writes its fields, into the writer it is given
   */
  public ProtoWriter message(int field, Consumer<ProtoWriter> content) {
    tag(field, ProtoReader.LENGTH);
    delimited(content);
    return this;
  }

  /** A message behind its length, without a field: one of a sequence. */
  public ProtoWriter delimited(Consumer<ProtoWriter> content) {
    // Most are shorter than 128 bytes, so that their length fits in the byte kept for it.
    reserve(1);
    int start = ++size;
    content.accept(this);
    int length = size - start;
    int lengthBytes = varintBytes(length);
    if (lengthBytes > 1) {
      reserve(lengthBytes - 1);
      System.arraycopy(bytes, start, bytes, start + lengthBytes - 1, length);
    }
    size = start - 1;
    rawVarint(length);
    size += length;
    return this;
  }

  /** A repeated field of doubles, packed; nothing if there are none. */
  public ProtoWriter float64s(int field, double... values) {
    if (values.length > 0) {
      tag(field, ProtoReader.LENGTH);
      rawVarint(8L * values.length);
      for (double value : values) {
        rawFixed64(Double.doubleToRawLongBits(value));
      }
    }
    return this;
  }

  /** A repeated field of int64s, uint64s, int32s or enums, packed; nothing if there are none. */
  public ProtoWriter varints(int field, long... values) {
    if (values.length > 0) {
      tag(field, ProtoReader.LENGTH);
      delimited(
          _ -> {
            for (long value : values) {
              rawVarint(value);
            }
          });
    }
    return this;
  }

  /** A repeated field of sint64s or sint32s, packed; nothing if there are none. */
  public ProtoWriter zigzags(int field, long... values) {
    return varints(field, Arrays.stream(values).map(ProtoWriter::zigzagged).toArray());
  }

  private static long zigzagged(long value) {
    return (value << 1) ^ (value >> 63);
  }

  private void tag(int field, int wireType) {
    if (field < 1) {
      throw new IllegalArgumentException("expected a field number from 1 on, got " + field);
    }
    rawVarint((long) field << 3 | wireType);
  }

  private void rawFixed64(long value) {
    reserve(8);
    LONG.set(bytes, size, value);
    size += 8;
  }

  private void rawVarint(long value) {
    reserve(VARINT_BYTES_MAX);
    long rest = value;
    while ((rest & ~0x7fL) != 0) {
      bytes[size++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    bytes[size++] = (byte) rest;
  }

  private static int varintBytes(int value) {
    int count = 1;
    for (int rest = value >>> 7; rest != 0; rest >>>= 7) {
      count++;
    }
    return count;
  }

  private void reserve(int count) {
    int needed = Math.addExact(size, count);
    if (needed > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(needed, bytes.length + (bytes.length >> 1) + 16));
    }
  }
}
