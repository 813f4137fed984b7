package org.inferometer.benchmarks.peers;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.ProcessBuilder.Redirect;
import java.util.List;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;

/**
 * How small the samples of a history can be made when nothing but size counts: columns of one
 * series after the other through a strong general compressor. Nothing of it can be read without
 * reading all; a store that answers queries needs more. Times are left out: all series have the
 * same.
 */
final class SizeBound {
  /** Each so manieth series counts; without a common factor with what is laid out regularly. */
  private static final int STRIDE = 41;

  /** Whole numbers of doubles are exact below this. */
  private static final double EXACT_MAX = 0x1p53;

  /** A way to write a column of values. */
  private enum Columns {
    /** The doubles as they are. */
    PLAIN {
      @Override
      void write(double[] values, ByteArrayOutputStream to) {
        for (double value : values) {
          fixed(Double.doubleToRawLongBits(value), to);
        }
      }
    },
    /** Whole numbers as differences of differences, others as what changed in the bits. */
    DIFFERENCES {
      @Override
      void write(double[] values, ByteArrayOutputStream to) {
        if (isWhole(values)) {
          secondDifferences(values, to);
        } else {
          changedBits(values, to);
        }
      }
    };

    abstract void write(double[] values, ByteArrayOutputStream to);

    private static boolean isWhole(double[] values) {
      for (double value : values) {
        if (value != Math.rint(value) || Math.abs(value) >= EXACT_MAX) {
          return false;
        }
      }
      return true;
    }

    private static void secondDifferences(double[] values, ByteArrayOutputStream to) {
      long before = 0;
      long difference = 0;
      for (double value : values) {
        long now = (long) value;
        varint(now - before - difference, to);
        difference = now - before;
        before = now;
      }
    }

    /** By planes: all first bytes, all second bytes, and so on. */
    private static void changedBits(double[] values, ByteArrayOutputStream to) {
      for (int shift = 56; shift >= 0; shift -= 8) {
        long before = 0;
        for (double value : values) {
          long bits = Double.doubleToRawLongBits(value);
          to.write((int) ((bits ^ before) >>> shift));
          before = bits;
        }
      }
    }

    private static void fixed(long bits, ByteArrayOutputStream to) {
      for (int shift = 56; shift >= 0; shift -= 8) {
        to.write((int) (bits >>> shift));
      }
    }

    private static void varint(long number, ByteArrayOutputStream to) {
      long rest = (number << 1) ^ (number >> 63);
      while ((rest & ~0x7fL) != 0) {
        to.write((int) (rest & 0x7f) | 0x80);
        rest >>>= 7;
      }
      to.write((int) rest);
    }
  }

  private SizeBound() {}

  /** Puts a row for each way into results. */
  static void measure(History history, ArrayNode rows) throws IOException, InterruptedException {
    for (Columns columns : Columns.values()) {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream(1 << 24);
      long samples = write(history, columns, bytes);
      add(rows, columns, "deflate -9", samples, deflated(bytes));
      long xz = xz(bytes);
      if (xz > 0) {
        add(rows, columns, "xz -9", samples, xz);
      }
    }
  }

  private static void add(
      ArrayNode rows, Columns columns, String compressor, long samples, long bytes) {
    ObjectNode row = rows.addObject().put("columns", columns.name());
    row.put("compressor", compressor);
    row.put("samples", samples);
    row.put("bytes", bytes);
    row.put("bytesPerSample", (double) bytes / samples);
    System.out.println(row);
  }

  private static long write(History history, Columns columns, ByteArrayOutputStream to) {
    long samples = 0;
    int place = 0;
    for (SyntheticReplica replica : history.replicas()) {
      for (int i = 0; i < replica.seriesCount(); i++) {
        if (place++ % STRIDE == 0) {
          columns.write(replica.column(i, 0, history.ticks()), to);
          samples += history.ticks();
        }
      }
    }
    return samples;
  }

  private static long deflated(ByteArrayOutputStream bytes) throws IOException {
    Counter counter = new Counter();
    Deflater deflater = new Deflater(Deflater.BEST_COMPRESSION);
    try (DeflaterOutputStream out = new DeflaterOutputStream(counter, deflater)) {
      bytes.writeTo(out);
    } finally {
      deflater.end();
    }
    return counter.count;
  }

  /** 0 if there is no such program. */
  private static long xz(ByteArrayOutputStream bytes) throws IOException, InterruptedException {
    Process xz;
    try {
      xz = new ProcessBuilder(List.of("xz", "-9", "-c")).redirectError(Redirect.INHERIT).start();
    } catch (IOException notInstalled) {
      return 0;
    }
    Counter counter = new Counter();
    Thread reader = Thread.ofVirtual().start(() -> drain(xz, counter));
    try (OutputStream in = xz.getOutputStream()) {
      bytes.writeTo(in);
    }
    reader.join();
    return xz.waitFor() == 0 ? counter.count : 0;
  }

  private static void drain(Process process, Counter counter) {
    try {
      process.getInputStream().transferTo(counter);
    } catch (IOException e) {
      throw new IllegalStateException("no output of xz", e);
    }
  }

  /** Counts what is written and forgets it. */
  private static final class Counter extends OutputStream {
    private long count;

    @Override
    public void write(int b) {
      count++;
    }

    @Override
    public void write(byte[] bytes, int offset, int length) {
      count += length;
    }
  }
}
