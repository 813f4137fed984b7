package org.inferometer.io;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.DoubleConsumer;
import java.util.function.LongConsumer;

/**
 * Reads one protobuf message, field by field, from a stretch of a byte array that nobody changes
 * meanwhile. Nothing is copied but strings and byte strings; a message in a field is read by a
 * reader of its own over the same array. Every length is checked against the bytes that are there,
 * so that a wrong one costs nothing. Not thread-safe.
 *
 * <pre>{@code
 * while (reader.next()) {
 *   switch (reader.field()) {
 *     case 1 -> name = reader.string();
 *     case 2 -> point(reader.message());
 *     default -> {}
 *   }
 * }
 * }</pre>
 *
 * <p>A field whose value isn't asked for is skipped. A value that is asked for as another wire type
 * than it has is an error. Groups, which no current schema has, are errors too.
 *
 * @see <a href="https://protobuf.dev/programming-guides/encoding/">Encoding</a>
 */
public final class ProtoReader {
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

  static final int VARINT = 0;
  static final int FIXED64 = 1;
  static final int LENGTH = 2;
  static final int FIXED32 = 5;

  private static final int FIELD_MAX = (1 << 29) - 1;

  private byte[] bytes;
  private int end;

  /** The next byte to read. */
  private int position;

  private int field;
  private int wireType;
  private boolean unread;

  public ProtoReader(byte[] bytes) {
    this(bytes, 0, bytes.length);
  }

  /**
   * @param offset the first byte of the message
   * @param length how many bytes it has
   */
  public ProtoReader(byte[] bytes, int offset, int length) {
    requireStretch(bytes, offset, length);
    this.bytes = bytes;
    this.position = offset;
    this.end = offset + length;
  }

  /** A reader over what is left of this one's message, which stays where it is. */
  public ProtoReader rest() {
    return new ProtoReader(bytes, position, end - position);
  }

  private static void requireStretch(byte[] bytes, int offset, int length) {
    if (offset < 0 || length < 0 || length > bytes.length - offset) {
      throw new IndexOutOfBoundsException(
          "expected a stretch of " + bytes.length + " bytes, got " + offset + " + " + length);
    }
  }

  /** Starts over with another message, as one that is made anew would. */
  public void reset(byte[] newBytes, int offset, int length) {
    requireStretch(newBytes, offset, length);
    bytes = newBytes;
    position = offset;
    end = offset + length;
    unread = false;
  }

  /**
   * Goes on to the next field, past the value of the current one if it wasn't read.
   *
   * @return false at the end of the message
   */
  public boolean next() throws ProtoException {
    if (unread) {
      skip();
    }
    if (position == end) {
      return false;
    }
    int start = position;
    long tag = rawVarint();
    long number = tag >>> 3;
    wireType = (int) tag & 7;
    if (number < 1 || number > FIELD_MAX || wireType > FIXED32 || isGroup()) {
      throw new ProtoException(
          start, "a field with a number from 1 on and wire type 0, 1, 2 or 5, got tag " + tag);
    }
    field = (int) number;
    unread = true;
    return true;
  }

  private boolean isGroup() {
    return wireType == 3 || wireType == 4;
  }

  /** The number of the current field. */
  public int field() {
    return field;
  }

  /** The next byte to be read, counted from the start of the array: for messages about values. */
  public int position() {
    return position;
  }

  /** Behind the last byte of the message. */
  public int end() {
    return end;
  }

  private void skip() throws ProtoException {
    unread = false;
    switch (wireType) {
      case VARINT -> rawVarint();
      case FIXED64 -> advance(8);
      case FIXED32 -> advance(4);
      default -> advance(rawLength());
    }
  }

  /** int64, uint64 and enums; an int32 is sign-extended. */
  public long varint() throws ProtoException {
    take(VARINT);
    return rawVarint();
  }

  /** The uint64 that a {@link #varint} is, also from 2^63 on, where that is negative. */
  public static double unsigned(long varint) {
    // Twice a half of it; the lowest bit is kept for the rounding.
    return varint >= 0 ? varint : 2.0 * ((varint >>> 1) | (varint & 1));
  }

  /** int32, uint32 and enums: the lowest 32 bits, as protobuf has it for longer ones. */
  public int varint32() throws ProtoException {
    return (int) varint();
  }

  /** sint32 and sint64: the sign is in the lowest bit. */
  public long zigzag() throws ProtoException {
    return unzigzag(varint());
  }

  /** fixed64 and sfixed64. */
  public long fixed64() throws ProtoException {
    take(FIXED64);
    return rawFixed64();
  }

  /** fixed32 and sfixed32. */
  public int fixed32() throws ProtoException {
    take(FIXED32);
    int at = advance(4);
    return (int) INT.get(bytes, at);
  }

  /** A double with exactly the bits that were sent, whatever NaN it is. */
  public double float64() throws ProtoException {
    return Double.longBitsToDouble(fixed64());
  }

  /** The message in this field. */
  public ProtoReader message() throws ProtoException {
    take(LENGTH);
    return sub();
  }

  /**
   * The message in this field, or the text or bytes as a stretch from {@link #position} to {@link
   * #end}, put into another reader instead of a new one.
   */
  public void message(ProtoReader into) throws ProtoException {
    take(LENGTH);
    int length = rawLength();
    into.reset(bytes, advance(length), length);
  }

  public String string() throws ProtoException {
    take(LENGTH);
    int length = rawLength();
    int start = advance(length);
    String text = new String(bytes, start, length, StandardCharsets.UTF_8);
    if (text.indexOf('\uFFFD') >= 0) {
      requireUtf8(start, length);
    }
    return text;
  }

  /** The replacement character may have been sent, or stand for what isn't UTF-8. */
  private void requireUtf8(int start, int length) throws ProtoException {
    try {
      StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes, start, length));
    } catch (CharacterCodingException e) {
      throw new ProtoException(start, "text in UTF-8");
    }
  }

  /** A copy of the bytes. */
  public byte[] bytes() throws ProtoException {
    take(LENGTH);
    int length = rawLength();
    int start = advance(length);
    return Arrays.copyOfRange(bytes, start, start + length);
  }

  /** The doubles of a repeated field: all of them if it is packed, else the one here. */
  public void float64s(DoubleConsumer each) throws ProtoException {
    if (wireType != LENGTH) {
      each.accept(float64());
      return;
    }
    ProtoReader packed = message();
    while (packed.position < packed.end) {
      each.accept(Double.longBitsToDouble(packed.rawFixed64()));
    }
  }

  /** The int64s, uint64s, int32s or enums of a repeated field, packed or not. */
  public void varints(LongConsumer each) throws ProtoException {
    if (wireType != LENGTH) {
      each.accept(varint());
      return;
    }
    ProtoReader packed = message();
    while (packed.position < packed.end) {
      each.accept(packed.rawVarint());
    }
  }

  /** The sint64s or sint32s of a repeated field, packed or not. */
  public void zigzags(LongConsumer each) throws ProtoException {
    varints(value -> each.accept(unzigzag(value)));
  }

  /**
   * The next of a sequence of messages that stand one after the other, each behind its length, put
   * into another reader. For a reader over such a sequence only, instead of {@link #next}.
   *
   * @return false at the end of the sequence
   */
  public boolean nextDelimited(ProtoReader into) throws ProtoException {
    if (position == end) {
      return false;
    }
    int length = rawLength();
    into.reset(bytes, advance(length), length);
    return true;
  }

  private ProtoReader sub() throws ProtoException {
    int length = rawLength();
    int start = advance(length);
    return new ProtoReader(bytes, start, length);
  }

  private void take(int expected) throws ProtoException {
    if (!unread) {
      throw new IllegalStateException("expected one read of a field's value, after next()");
    }
    if (wireType != expected) {
      throw new ProtoException(
          position, "field " + field + " with wire type " + expected + ", got " + wireType);
    }
    unread = false;
  }

  private static long unzigzag(long value) {
    return (value >>> 1) ^ -(value & 1);
  }

  private long rawFixed64() throws ProtoException {
    int at = advance(8);
    return (long) LONG.get(bytes, at);
  }

  private long rawVarint() throws ProtoException {
    if (position < end && bytes[position] >= 0) {
      return bytes[position++];
    }
    int start = position;
    long value = 0;
    for (int shift = 0; shift < 70; shift += 7) {
      if (position == end) {
        throw new ProtoException(start, "a whole varint, got the end of the message");
      }
      byte next = bytes[position++];
      value |= (long) (next & 0x7f) << shift;
      if (next >= 0) {
        return value;
      }
    }
    throw new ProtoException(start, "a varint of ten bytes at most");
  }

  private int rawLength() throws ProtoException {
    int start = position;
    long length = rawVarint();
    if (length < 0 || length > end - position) {
      throw new ProtoException(
          start,
          "a length within the "
              + (end - position)
              + " bytes left, got "
              + Long.toUnsignedString(length));
    }
    return (int) length;
  }

  /** Moves on and returns where it was. */
  private int advance(int count) throws ProtoException {
    if (count > end - position) {
      throw new ProtoException(position, count + " bytes, got " + (end - position));
    }
    int start = position;
    position += count;
    return start;
  }
}
