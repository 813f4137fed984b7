package org.inferometer.app;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.inferometer.config.ByteSizes;
import org.inferometer.config.Durations;
import org.inferometer.tsdb.wal.WalOptions;

/**
 * What {@code serve} is told about its data directory, under the names that Prometheus has, and
 * shorter ones for what is often asked for.
 *
 * @param flags by option, as written; an option that has a shorter name stands under that
 * @param isReadOnly whether nothing in the directory may be changed
 * @param compressesWal whether records of the log are compressed
 */
record StorageFlags(Map<String, String> flags, boolean isReadOnly, boolean compressesWal) {
  static final String DATA = "--data";
  static final String READ_ONLY = "--read-only";
  static final String RETENTION = "--retention";
  static final String RETENTION_SIZE = "--storage.tsdb.retention.size";
  static final String BLOCK = "--storage.tsdb.min-block-duration";
  static final String BLOCK_MAX = "--storage.tsdb.max-block-duration";
  static final String SEGMENT = "--storage.tsdb.wal-segment-size";
  static final String COMPRESSION = "--storage.tsdb.wal-compression";
  static final String NO_COMPRESSION = "--no-storage.tsdb.wal-compression";

  /** The options that have a value, by each of their names. */
  private static final Map<String, String> NAMES =
      Map.of(
          DATA,
          DATA,
          "--storage.tsdb.path",
          DATA,
          RETENTION,
          RETENTION,
          "--storage.tsdb.retention.time",
          RETENTION,
          RETENTION_SIZE,
          RETENTION_SIZE,
          BLOCK,
          BLOCK,
          BLOCK_MAX,
          BLOCK_MAX,
          SEGMENT,
          SEGMENT);

  static final Path DATA_DEFAULT = Path.of("inferometer-data");

  /** Only where the data lies. */
  static StorageFlags in(Path folder) {
    return new StorageFlags(Map.of(DATA, folder.toString()), false, true);
  }

  static final StorageFlags NONE = new StorageFlags(Map.of(), false, true);

  /** Prometheus's bounds are narrower below: 10 MB. */
  private static final long SEGMENT_BYTES_MIN = 128 * 1024;

  /** Shorter ones would be a block or more for each scrape. */
  private static final long BLOCK_MS_MIN = 1_000;

  private static final long SEGMENT_BYTES_MAX = 256L << 20;

  StorageFlags {
    flags = Map.copyOf(flags);
  }

  /** Whether it is one of the options that have a value. */
  static boolean isName(String option) {
    return NAMES.containsKey(option);
  }

  /** The name under which an option stands. */
  static String canonical(String option) {
    return NAMES.getOrDefault(option, option);
  }

  static List<String> names() {
    return NAMES.keySet().stream().sorted().toList();
  }

  /**
   * @throws CommandException if a value can't be used
   */
  StorageOptions options() {
    StorageOptions options =
        new StorageOptions(
            folder(),
            isReadOnly,
            duration(RETENTION),
            size(RETENTION_SIZE),
            duration(BLOCK),
            duration(BLOCK_MAX),
            wal());
    if (options.blockMs().isPresent() && options.blockMs().getAsLong() < BLOCK_MS_MIN) {
      throw CommandException.badInput(
          "%s: expected 1s or more, got %s".formatted(BLOCK, flags.get(BLOCK)));
    }
    if (options.blockMs().isPresent()
        && options.blockMsMax().isPresent()
        && options.blockMs().getAsLong() > options.blockMsMax().getAsLong()) {
      throw CommandException.badInput(
          "%s: expected %s or more, as %s is; got %s"
              .formatted(BLOCK_MAX, flags.get(BLOCK), BLOCK, flags.get(BLOCK_MAX)));
    }
    return options;
  }

  private Path folder() {
    String text = flags.get(DATA);
    try {
      return text == null ? DATA_DEFAULT : Path.of(text);
    } catch (InvalidPathException e) {
      throw CommandException.badInput(
          DATA + ": expected a directory, got \"" + text + "\": " + e.getReason());
    }
  }

  private OptionalLong duration(String flag) {
    String text = flags.get(flag);
    return text == null ? OptionalLong.empty() : OptionalLong.of(durationMs(flag, text));
  }

  /** With weeks and years as Prometheus has them, or as other options of ours are written. */
  private static long durationMs(String flag, String text) {
    try {
      long ms = Durations.parseMs(text);
      if (ms > 0) {
        return ms;
      }
    } catch (IllegalArgumentException e) {
      // A number of seconds perhaps.
    }
    return Times.durationMs(flag, text);
  }

  private OptionalLong size(String flag) {
    String text = flags.get(flag);
    try {
      return text == null ? OptionalLong.empty() : OptionalLong.of(ByteSizes.parse(text));
    } catch (IllegalArgumentException e) {
      throw CommandException.badInput(
          flag + ": expected " + e.getMessage() + "; got \"" + text + "\"");
    }
  }

  private WalOptions wal() {
    OptionalLong size = size(SEGMENT);
    if (size.isEmpty()) {
      return new WalOptions(WalOptions.defaults().segmentBytes(), compressesWal);
    }
    long bytes = size.getAsLong();
    if (bytes < SEGMENT_BYTES_MIN || bytes > SEGMENT_BYTES_MAX) {
      throw CommandException.badInput(
          "%s: expected %s to %s; got \"%s\""
              .formatted(
                  SEGMENT,
                  ByteSizes.format(SEGMENT_BYTES_MIN),
                  ByteSizes.format(SEGMENT_BYTES_MAX),
                  flags.get(SEGMENT)));
    }
    return new WalOptions((int) (bytes - bytes % WalOptions.PAGE_BYTES), compressesWal);
  }
}
