package org.inferometer.model;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * The hash function XXH64 with seed 0, as its specification defines it
 * (https://github.com/Cyan4973/xxHash/blob/dev/doc/xxhash_spec.md). Not cryptographic.
 */
public final class XxHash64 {
  private static final long PRIME_1 = 0x9E3779B185EBCA87L;
  private static final long PRIME_2 = 0xC2B2AE3D27D4EB4FL;
  private static final long PRIME_3 = 0x165667B19E3779F9L;
  private static final long PRIME_4 = 0x85EBCA77C2B2AE63L;
  private static final long PRIME_5 = 0x27D4EB2F165667C5L;

  private static final long PRIME_1_PLUS_2 = 0x60EA27EEADC0B5D6L;

  /** Bytes taken in by the four lanes at a time. */
  private static final int STRIPE = 32;

  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

  private XxHash64() {}

  /** The hash of the first {@code length} bytes, an unsigned number. */
  public static long of(byte[] bytes, int length) {
    long hash = length >= STRIPE ? stripes(bytes, length) : PRIME_5;
    return mixed(tail(bytes, length & -STRIPE, length, hash + length));
  }

  private static long stripes(byte[] bytes, int length) {
    long a = PRIME_1_PLUS_2;
    long b = PRIME_2;
    long c = 0;
    long d = -PRIME_1;
    for (int i = 0; i + STRIPE <= length; i += STRIPE) {
      a = round(a, longAt(bytes, i));
      b = round(b, longAt(bytes, i + 8));
      c = round(c, longAt(bytes, i + 16));
      d = round(d, longAt(bytes, i + 24));
    }
    long hash =
        Long.rotateLeft(a, 1)
            + Long.rotateLeft(b, 7)
            + Long.rotateLeft(c, 12)
            + Long.rotateLeft(d, 18);
    return merged(merged(merged(merged(hash, a), b), c), d);
  }

  private static long tail(byte[] bytes, int from, int to, long start) {
    long hash = start;
    int i = from;
    for (; i + 8 <= to; i += 8) {
      hash = Long.rotateLeft(hash ^ round(0, longAt(bytes, i)), 27) * PRIME_1 + PRIME_4;
    }
    if (i + 4 <= to) {
      long word = Integer.toUnsignedLong((int) INT.get(bytes, i));
      hash = Long.rotateLeft(hash ^ (word * PRIME_1), 23) * PRIME_2 + PRIME_3;
      i += 4;
    }
    for (; i < to; i++) {
      hash = Long.rotateLeft(hash ^ ((bytes[i] & 0xff) * PRIME_5), 11) * PRIME_1;
    }
    return hash;
  }

  private static long mixed(long start) {
    long hash = (start ^ (start >>> 33)) * PRIME_2;
    hash = (hash ^ (hash >>> 29)) * PRIME_3;
    return hash ^ (hash >>> 32);
  }

  private static long round(long lane, long word) {
    return Long.rotateLeft(lane + word * PRIME_2, 31) * PRIME_1;
  }

  private static long merged(long hash, long lane) {
    return (hash ^ round(0, lane)) * PRIME_1 + PRIME_4;
  }

  private static long longAt(byte[] bytes, int index) {
    return (long) LONG.get(bytes, index);
  }
}
