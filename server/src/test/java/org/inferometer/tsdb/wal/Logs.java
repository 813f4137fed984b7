package org.inferometer.tsdb.wal;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.inferometer.io.Disk;
import org.jspecify.annotations.Nullable;

/** Writes, reads and tells logs in tests. */
final class Logs {
  /** Two pages a segment. */
  static final WalOptions SMALL = new WalOptions(2 * WalOptions.PAGE_BYTES, true);

  static final WalOptions PLAIN = new WalOptions(4 * WalOptions.PAGE_BYTES, false);

  private Logs() {}

  /** What a log says, and where it is damaged. */
  record Contents(List<String> records, @Nullable WalDamage damage, long readBytes, long size) {}

  static Contents read(Disk disk, Path folder) throws IOException {
    try (WalReader in = WalReader.open(disk, folder)) {
      List<String> records = new ArrayList<>();
      for (WalRecord next = in.next(); next != null; next = in.next()) {
        records.add(text(next));
      }
      return new Contents(records, in.damage(), in.readBytes(), in.sizeBytes());
    }
  }

  /** How many records a log has, and where it is damaged. */
  record Skimmed(int records, @Nullable WalDamage damage, long readBytes, long size) {}

  /** The same as {@link #read}, without the contents, which takes a tenth of the time. */
  static Skimmed skim(Disk disk, Path folder) throws IOException {
    try (WalReader in = WalReader.open(disk, folder)) {
      int records = 0;
      while (in.next() != null) {
        records++;
      }
      return new Skimmed(records, in.damage(), in.readBytes(), in.sizeBytes());
    }
  }

  /** Everything that a record says, numbers bit for bit. */
  static String text(WalRecord record) {
    return record instanceof WalRecord.Samples samples
        ? text(samples.samples())
        : record.toString();
  }

  static List<String> texts(List<? extends WalRecord> records) {
    return records.stream().map(Logs::text).toList();
  }

  private static String text(WalSamples samples) {
    StringBuilder text = new StringBuilder("Samples");
    for (int i = 0; i < samples.size(); i++) {
      text.append(' ').append(samples.ref(i)).append('@').append(samples.timestampMs(i));
      text.append('=').append(Double.doubleToRawLongBits(samples.value(i)));
    }
    return text.toString();
  }

  /** One sample, told apart from others by its reference. */
  static WalRecord sample(long ref) {
    return samples(ref, 1);
  }

  /** So many samples in a row. */
  static WalRecord samples(long ref, int count) {
    WalSamples samples = new WalSamples();
    for (int i = 0; i < count; i++) {
      samples.add(ref + i, 1_000 + ref, ref / 8.0);
    }
    return new WalRecord.Samples(samples);
  }
}
