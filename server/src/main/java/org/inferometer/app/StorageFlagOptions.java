package org.inferometer.app;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of {@code serve} about its data directory, as picocli reads them. */
final class StorageFlagOptions {
  @Option(
      names = {StorageFlags.DATA, "--storage.tsdb.path"},
      paramLabel = "DIR",
      description = "Where the data is kept; ./inferometer-data if not given.")
  private @Nullable String data;

  @Option(
      names = StorageFlags.READ_ONLY,
      description =
          "Shows a data directory, ours or Prometheus's, without changing it: nothing is scraped.")
  private boolean readOnly;

  @Option(
      names = {StorageFlags.RETENTION, "--storage.tsdb.retention.time"},
      paramLabel = "DURATION",
      description = "How long samples are kept; 15d if not given.")
  private @Nullable String retention;

  @Option(
      names = StorageFlags.RETENTION_SIZE,
      paramLabel = "SIZE",
      description = "How much the data may take, such as 10GB; any if not given.")
  private @Nullable String retentionSize;

  @Option(
      names = StorageFlags.BLOCK,
      paramLabel = "DURATION",
      description = "The stretch of time of a new block; 2h if not given.")
  private @Nullable String block;

  @Option(
      names = StorageFlags.BLOCK_MAX,
      paramLabel = "DURATION",
      description =
          "The longest stretch of a compacted block; a tenth of retention if not given, 31d at"
              + " most.")
  private @Nullable String blockMax;

  @Option(
      names = StorageFlags.SEGMENT,
      paramLabel = "SIZE",
      description = "When a file of the log ends and the next begins; 128MB if not given.")
  private @Nullable String segment;

  @Option(
      names = StorageFlags.COMPRESSION,
      description = "Compresses the log, which is done anyway.")
  private boolean compressed;

  @Option(names = StorageFlags.NO_COMPRESSION, description = "Leaves the log uncompressed.")
  private boolean uncompressed;

  StorageFlags flags() {
    Map<String, String> flags = new HashMap<>();
    put(flags, StorageFlags.DATA, data);
    put(flags, StorageFlags.RETENTION, retention);
    put(flags, StorageFlags.RETENTION_SIZE, retentionSize);
    put(flags, StorageFlags.BLOCK, block);
    put(flags, StorageFlags.BLOCK_MAX, blockMax);
    put(flags, StorageFlags.SEGMENT, segment);
    return new StorageFlags(flags, readOnly, compressed || !uncompressed);
  }

  private static void put(Map<String, String> flags, String flag, @Nullable String value) {
    if (value != null) {
      flags.put(flag, value);
    }
  }
}
