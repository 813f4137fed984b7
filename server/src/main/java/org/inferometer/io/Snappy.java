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

  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  /** The most that a tag of three bytes stands for: a copy with a two-byte offset. */
  private static final int COPY_MAX = 64;

  private static final int COPY_BYTES = 3;

  /** Literals up to this are moved as two words. */
  private static final int SHORT_MAX = 16;

  /** What a literal or copy and the last word of it may take at most, in either array. */
  private static final int SLACK = COPY_MAX + 8;

  private static final int MATCH_MIN = 4;

  /** A short copy from nearer than this takes two bytes. */
  private static final int NEAR = 2_048;

  private static final int OFFSET_MAX = 65_535;
  private static final int HASH_BITS = 14;

  private Snappy() {}

  /**
   * How long a block says that it is when decompressed.
   *
   * @throws SnappyException if it doesn't begin with a length that its bytes can stand for
   */
  public static int uncompressedLength(byte[] block) throws SnappyException {
    return uncompressedLength(block, 0, block.length);
  }

  /** The same of a block that lies in {@code from <= index < end}. */
  public static int uncompressedLength(byte[] bytes, int from, int end) throws SnappyException {
    return new Reader(bytes, from, end).length();
  }

  /**
   * @throws SnappyException if the block isn't well formed, or is longer than it says
   */
  public static byte[] decompress(byte[] block) throws SnappyException {
    Reader reader = new Reader(block, 0, block.length);
    byte[] out = new byte[reader.length()];
    reader.into(out, out.length);
    return out;
  }

  /**
   * Decompresses a block that lies in {@code from <= index < end} into an array that is as long as
   * it says at least.
   *
   * @return its length
   */
  public static int decompress(byte[] bytes, int from, int end, byte[] out) throws SnappyException {
    Reader reader = new Reader(bytes, from, end);
    int length = reader.length();
    reader.into(out, length);
    return length;
  }

  /** Reads one block. */
  private static final class Reader {
    private final byte[] in;
    private final int from;
    private final int end;
    private int position;
    private int written;
    private int length;

    Reader(byte[] in, int from, int end) {
      this.in = in;
      this.from = from;
      this.end = end;
      this.position = from;
    }

    private SnappyException expected(String what) {
      return new SnappyException(position - from, what);
    }

    /** Nothing is reserved for a length that no block of this size can have. */
    int length() throws SnappyException {
      long declared = 0;
      for (int shift = 0; shift < 35; shift += 7) {
        int next = next();
        declared |= (next & 0x7fL) << shift;
        if (next < 0x80) {
          long most = ((long) end - position) * COPY_MAX / COPY_BYTES;
          if (declared > Math.min(most, Integer.MAX_VALUE - 8)) {
            throw new SnappyException(
                0, "a length of at most " + most + " for a block of " + (end - from) + " bytes");
          }
          return (int) declared;
        }
      }
      throw new SnappyException(0, "a length of five bytes at most");
    }

    private int next() throws SnappyException {
      if (position == end) {
        throw expected("another byte, got the end of the block");
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

    /** Fills the first bytes of an array. */
    void into(byte[] out, int uncompressed) throws SnappyException {
      length = uncompressed;
      while (position < end) {
        manyShort(out);
        if (position < end) {
          one(out);
        }
      }
      if (written != length) {
        throw expected(length + " decompressed bytes as declared, got " + written);
      }
    }

    private void one(byte[] out) throws SnappyException {
      int tag = next();
      switch (tag & 3) {
        case 0 -> literal(out, tag >>> 2);
        case 1 -> copy(out, 4 + ((tag >>> 2) & 7), (tag >>> 5) << 8 | next());
        case 2 -> copy(out, 1 + (tag >>> 2), number(2));
        default -> copy(out, 1 + (tag >>> 2), number(4));
      }
    }

    /**
     * Reads short literals and copies that aren't near an end of either array, up to something
     * else. Whole words are moved, and what is too much of them is overwritten by what comes next:
     * that is several times faster than a call for some bytes.
     */
    private void manyShort(byte[] out) {
      int p = position;
      int w = written;
      int last = end - SLACK;
      int lastOut = length - SLACK;
      while (p <= last && w <= lastOut) {
        int word = (int) INT.get(in, p);
        int tag = word & 0xff;
        if ((tag & 3) == 0 && tag < SHORT_MAX << 2) {
          LONG.set(out, w, (long) LONG.get(in, p + 1));
          LONG.set(out, w + 8, (long) LONG.get(in, p + 9));
          w += (tag >>> 2) + 1;
          p += (tag >>> 2) + 2;
          continue;
        }
        boolean isNear = (tag & 3) == 1;
        int count = isNear ? 4 + ((tag >>> 2) & 7) : 1 + (tag >>> 2);
        int offset = isNear ? (tag >>> 5) << 8 | ((word >>> 8) & 0xff) : (word >>> 8) & 0xffff;
        if ((tag & 3) == 0 || (tag & 3) == 3 || offset < Long.BYTES || offset > w) {
          break;
        }
        for (int i = 0; i < count; i += Long.BYTES) {
          LONG.set(out, w + i, (long) LONG.get(out, w + i - offset));
        }
        w += count;
        p += isNear ? 2 : 3;
      }
      position = p;
      written = w;
    }

    private void literal(byte[] out, int code) throws SnappyException {
      int count = (code < 60 ? code : number(code - 59)) + 1;
      if (count <= 0 || count > end - position || count > length - written) {
        throw expected("a literal that fits, got one of length " + count);
      }
      System.arraycopy(in, position, out, written, count);
      position += count;
      written += count;
    }

    private void copy(byte[] out, int count, int offset) throws SnappyException {
      if (offset <= 0 || offset > written || count > length - written) {
        throw expected("a copy that fits, got " + count + " bytes from " + offset + " before");
      }
      if (offset >= count) {
        System.arraycopy(out, written - offset, out, written, count);
      } else {
        // It overlaps what it writes: bytes are repeated.
        for (int i = written; i < written + count; i++) {
          out[i] = out[i - offset];
        }
      }
      written += count;
    }
  }

  /** One block of the first bytes of an array. */
  public static byte[] compress(byte[] bytes, int length) {
    Compressor compressor = new Compressor();
    byte[] out = new byte[32 + length / 2];
    int size = compressor.compress(bytes, length, out);
    return Arrays.copyOf(compressor.out(), size);
  }

  /**
   * Writes blocks one after the other without making its table anew for each: at each place the
   * last one with the same four bytes is looked up. Not thread-safe.
   */
  public static final class Compressor {
    /** Places are counted on over all blocks, so that those of earlier ones are known as such. */
    private final int[] placesByHash = new int[1 << HASH_BITS];

    /** The place of the first byte of the block; a slot that wasn't used yet lies before it. */
    private int base = 1;

    private byte[] in = {};
    private int end;
    private byte[] out = {};
    private int size;

    /** The array that the last block was written to: the one given, or a longer one. */
    public byte[] out() {
      return out;
    }

    /**
     * Writes one block of the first bytes of an array to the beginning of {@link #out}.
     *
     * @param into an array that may be used for it
     * @return the bytes that it takes
     */
    public int compress(byte[] bytes, int length, byte[] into) {
      in = bytes;
      end = length;
      out = into;
      size = 0;
      if (base > Integer.MAX_VALUE - length) {
        Arrays.fill(placesByHash, 0);
        base = 1;
      }
      writeLength();
      matches();
      base += length;
      return size;
    }

    private void writeLength() {
      reserve(5);
      int rest = end;
      while (rest >= 0x80) {
        out[size++] = (byte) (rest | 0x80);
        rest >>>= 7;
      }
      out[size++] = (byte) rest;
    }

    private void matches() {
      int literalStart = 0;
      int i = 0;
      // Where nothing repeats, ever longer steps are taken.
      int misses = 0;
      while (i + MATCH_MIN <= end) {
        int word = (int) INT.get(in, i);
        int slot = slot(word);
        int candidate = placesByHash[slot] - base;
        placesByHash[slot] = base + i;
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
        if (i + MATCH_MIN <= end) {
          // What a match ends with often begins the next one.
          placesByHash[slot((int) INT.get(in, i - 1))] = base + i - 1;
        }
      }
      literal(literalStart, end);
    }

    private static int slot(int word) {
      return (word * 0x1e35a7bd) >>> (32 - HASH_BITS);
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
        if (part >= MATCH_MIN && part < MATCH_MIN + 8 && offset < NEAR) {
          out[size++] = (byte) (offset >>> 8 << 5 | (part - MATCH_MIN) << 2 | 1);
          out[size++] = (byte) offset;
        } else {
          out[size++] = (byte) ((part - 1) << 2 | 2);
          out[size++] = (byte) offset;
          out[size++] = (byte) (offset >>> 8);
        }
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
