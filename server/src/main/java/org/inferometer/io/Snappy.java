package org.inferometer.io;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * The snappy block format, without framing: a length, then literals and copies of what came before.
 * Blocks from outside are read with every length and offset checked.
 *
 * @see <a href="https://github.com/google/snappy/blob/main/format_description.txt">Snappy
 *     compressed format description</a>
 */
public final class Snappy {
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

  /** The most that a tag of three bytes stands for: a copy with a two-byte offset. */
  private static final int COPY_MAX = 64;

  private static final int COPY_BYTES = 3;

  private static final int MATCH_MIN = 4;
  private static final int OFFSET_MAX = 65_535;
  private static final int HASH_BITS = 14;

  private Snappy() {}

  /**
   * How long a block says that it is when decompressed.
   *
   * @throws SnappyException if it doesn't begin with a length that its bytes can stand for
   */
  public static int uncompressedLength(byte[] block) throws SnappyException {
    return new Reader(block).length();
  }

  /**
   * @throws SnappyException if the block isn't well formed, or is longer than it says
   */
  public static byte[] decompress(byte[] block) throws SnappyException {
    Reader reader = new Reader(block);
    byte[] out = new byte[reader.length()];
    reader.into(out);
    return out;
  }

  /** Reads one block. */
  private static final class Reader {
    private final byte[] in;
    private int position;
    private int written;

    Reader(byte[] in) {
      this.in = in;
    }

    /** Nothing is reserved for a length that no block of this size can have. */
    int length() throws SnappyException {
      long length = 0;
      for (int shift = 0; shift < 35; shift += 7) {
        int next = next();
        length |= (next & 0x7fL) << shift;
        if (next < 0x80) {
          long most = ((long) in.length - position) * COPY_MAX / COPY_BYTES;
          if (length > Math.min(most, Integer.MAX_VALUE - 8)) {
            throw new SnappyException(
                0, "a length of at most " + most + " for a block of " + in.length + " bytes");
          }
          return (int) length;
        }
      }
      throw new SnappyException(0, "a length of five bytes at most");
    }

    private int next() throws SnappyException {
      if (position == in.length) {
        throw new SnappyException(position, "another byte, got the end of the block");
      }
      return in[position++] & 0xff;
    }

    /** A number of one to four bytes, the lowest first. */
    private int number(int bytes) throws SnappyException {
      int value = 0;
      for (int i = 0; i < bytes; i++) {
        value |= next() << (8 * i);
      }
      return value;
    }

    void into(byte[] out) throws SnappyException {
      while (position < in.length) {
        int tag = next();
        switch (tag & 3) {
          case 0 -> literal(out, tag >>> 2);
          case 1 -> copy(out, 4 + ((tag >>> 2) & 7), (tag >>> 5) << 8 | next());
          case 2 -> copy(out, 1 + (tag >>> 2), number(2));
          default -> copy(out, 1 + (tag >>> 2), number(4));
        }
      }
      if (written != out.length) {
        throw new SnappyException(
            position, out.length + " decompressed bytes as declared, got " + written);
      }
    }

    private void literal(byte[] out, int code) throws SnappyException {
      int length = (code < 60 ? code : number(code - 59)) + 1;
      if (length <= 0 || length > in.length - position || length > out.length - written) {
        throw new SnappyException(position, "a literal that fits, got one of length " + length);
      }
      System.arraycopy(in, position, out, written, length);
      position += length;
      written += length;
    }

    private void copy(byte[] out, int length, int offset) throws SnappyException {
      if (offset <= 0 || offset > written || length > out.length - written) {
        throw new SnappyException(
            position, "a copy that fits, got " + length + " bytes from " + offset + " before");
      }
      if (offset >= length) {
        System.arraycopy(out, written - offset, out, written, length);
      } else {
        // It overlaps what it writes: bytes are repeated.
        for (int i = written; i < written + length; i++) {
          out[i] = out[i - offset];
        }
      }
      written += length;
    }
  }

  /** One block of the first bytes of an array. */
  public static byte[] compress(byte[] bytes, int length) {
    return new Writer(bytes, length).block();
  }

  /** Writes one block: at each place the last one with the same four bytes is looked up. */
  private static final class Writer {
    private final byte[] in;
    private final int end;
    private byte[] out;
    private int size;

    Writer(byte[] in, int end) {
      this.in = in;
      this.end = end;
      this.out = new byte[32 + end / 2];
    }

    byte[] block() {
      int rest = end;
      reserve(5);
      while (rest >= 0x80) {
        out[size++] = (byte) (rest | 0x80);
        rest >>>= 7;
      }
      out[size++] = (byte) rest;
      matches();
      return Arrays.copyOf(out, size);
    }

    private void matches() {
      int[] placesByHash = new int[1 << HASH_BITS];
      Arrays.fill(placesByHash, -1);
      int literalStart = 0;
      int i = 0;
      // Where nothing repeats, ever longer steps are taken.
      int misses = 0;
      while (i + MATCH_MIN <= end) {
        int word = (int) INT.get(in, i);
        int slot = (word * 0x1e35a7bd) >>> (32 - HASH_BITS);
        int candidate = placesByHash[slot];
        placesByHash[slot] = i;
        if (candidate < 0 || i - candidate > OFFSET_MAX || (int) INT.get(in, candidate) != word) {
          i += 1 + (misses++ >>> 5);
          continue;
        }
        int length = matchLength(candidate, i);
        literal(literalStart, i);
        copies(i - candidate, length);
        i += length;
        literalStart = i;
        misses = 0;
      }
      literal(literalStart, end);
    }

    private int matchLength(int candidate, int from) {
      int mismatch = Arrays.mismatch(in, candidate, end - from + candidate, in, from, end);
      return mismatch < 0 ? end - from : mismatch;
    }

    private void literal(int from, int to) {
      int length = to - from;
      if (length == 0) {
        return;
      }
      reserve(length + 5);
      int code = length - 1;
      if (code < 60) {
        out[size++] = (byte) (code << 2);
      } else {
        int bytes = (39 - Integer.numberOfLeadingZeros(code)) / 8;
        out[size++] = (byte) ((59 + bytes) << 2);
        for (int i = 0; i < bytes; i++) {
          out[size++] = (byte) (code >>> (8 * i));
        }
      }
      System.arraycopy(in, from, out, size, length);
      size += length;
    }

    private void copies(int offset, int length) {
      reserve((length / COPY_MAX + 1) * COPY_BYTES);
      for (int rest = length; rest > 0; ) {
        int part = Math.min(rest, COPY_MAX);
        out[size++] = (byte) ((part - 1) << 2 | 2);
        out[size++] = (byte) offset;
        out[size++] = (byte) (offset >>> 8);
        rest -= part;
      }
    }

    private void reserve(int count) {
      if (size + count > out.length) {
        out = Arrays.copyOf(out, Math.max(size + count, out.length * 2));
      }
    }
  }
}
