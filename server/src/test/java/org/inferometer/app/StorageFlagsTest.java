package org.inferometer.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.file.Path;
import java.util.Map;
import java.util.OptionalLong;
import org.inferometer.config.StorageConfig;
import org.inferometer.tsdb.StoreOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StorageFlagsTest {
  private static final long HOUR_MS = 3_600_000;

  private static StoreOptions options(StorageConfig config, Map<String, String> flags) {
    return new StorageFlags(flags, false, true).options().withConfig(config);
  }

  @Test
  void nothingGiven_isAsPrometheusHasIt() {
    StoreOptions options = options(StorageConfig.DEFAULT, Map.of());
    StoreOptions defaults = StoreOptions.defaults(Path.of("inferometer-data"));
    assertThat(options)
        .usingRecursiveComparison()
        .ignoringFields("head.retentionMs")
        .isEqualTo(defaults);
    assertThat(options.head().retentionMs()).isEqualTo(options.retentionMs());
  }

  @Test
  void commandLine_goesBeforeTheConfig() {
    StorageConfig config =
        new StorageConfig(
            OptionalLong.of(240 * HOUR_MS),
            OptionalLong.of(1 << 30),
            OptionalLong.of(1),
            OptionalLong.of(2),
            OptionalLong.of(3));
    StoreOptions configured = options(config, Map.of());
    assertThat(configured.retentionMs()).isEqualTo(240 * HOUR_MS);
    assertThat(configured.blockMsMax()).isEqualTo(24 * HOUR_MS);
    assertThat(configured.retentionBytes()).isEqualTo(1 << 30);
    assertThat(configured.head().outOfOrderWindowMs()).isEqualTo(1);
    assertThat(configured.head().seriesMax()).isEqualTo(2);
    assertThat(configured.head().exemplarsMax()).isEqualTo(3);
    StoreOptions said =
        options(
            config,
            Map.of(
                StorageFlags.DATA, "d",
                StorageFlags.RETENTION, "1w",
                StorageFlags.RETENTION_SIZE, "10GB",
                StorageFlags.BLOCK, "30m",
                StorageFlags.SEGMENT, "1MB"));
    assertThat(said.folder()).isEqualTo(Path.of("d"));
    assertThat(said.retentionMs()).isEqualTo(7 * 24 * HOUR_MS);
    assertThat(said.retentionBytes()).isEqualTo(10L << 30);
    assertThat(said.head().chunkRangeMs()).isEqualTo(HOUR_MS / 2);
    assertThat(said.wal().segmentBytes()).isEqualTo(1 << 20);
  }

  @Test
  void shortRetention_doesntMakeCompactedBlocksShorterThanNewOnes() {
    StoreOptions options = options(StorageConfig.DEFAULT, Map.of(StorageFlags.RETENTION, "6h"));
    assertThat(options.blockMsMax()).isEqualTo(2 * HOUR_MS);
  }

  @ParameterizedTest
  @CsvSource({
    "--retention, long, expected a duration",
    "--retention, 0, expected a duration",
    "--storage.tsdb.retention.size, 10, expected a size such as 512KB",
    "--storage.tsdb.wal-segment-size, 1KB, expected 128KB to 256MB",
    "--storage.tsdb.max-block-duration, 1h, expected 3h or more",
    "--storage.tsdb.min-block-duration, 1ms, expected 1s or more",
  })
  void wrongValue_isToldWithWhatWasExpected(String flag, String value, String told) {
    Map<String, String> flags =
        flag.equals(StorageFlags.BLOCK_MAX)
            ? Map.of(flag, value, StorageFlags.BLOCK, "3h")
            : Map.of(flag, value);
    assertThatExceptionOfType(CommandException.class)
        .isThrownBy(() -> new StorageFlags(flags, false, true).options())
        .withMessageStartingWith(flag + ": ")
        .withMessageContaining(told)
        .satisfies(e -> assertThat(e.exitCode()).isEqualTo(ExitCode.USAGE));
  }
}
