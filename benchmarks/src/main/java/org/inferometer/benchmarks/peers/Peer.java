package org.inferometer.benchmarks.peers;

import java.nio.file.Path;
import java.util.List;

/** A program that scrapes, stores and answers PromQL over HTTP. */
enum Peer {
  INFEROMETER("inferometer", "/-/ready", "") {
    @Override
    List<String> command(Path root, Path config, Path data, int port) {
      return List.of(
          root.resolve("inferometer").toString(),
          "serve",
          "--config",
          config.toString(),
          "--listen",
          "127.0.0.1:" + port,
          "--data",
          data.toString(),
          "--storage.tsdb.retention.time=10y",
          "--web.enable-remote-write-receiver");
    }
  },
  PROMETHEUS("prometheus", "/-/ready", "") {
    @Override
    List<String> command(Path root, Path config, Path data, int port) {
      return List.of(
          "prometheus",
          "--config.file=" + config,
          "--storage.tsdb.path=" + data,
          "--storage.tsdb.retention.time=10y",
          "--web.enable-remote-write-receiver",
          "--log.level=warn",
          "--web.listen-address=127.0.0.1:" + port);
    }
  },
  // Its cache of earlier results is passed over by nocache=1: evaluation is what is measured.
  VICTORIA_METRICS("victoria-metrics", "/health", "&nocache=1") {
    @Override
    List<String> command(Path root, Path config, Path data, int port) {
      return List.of(
          "victoria-metrics",
          "-promscrape.config=" + config,
          "-storageDataPath=" + data,
          "-retentionPeriod=10y",
          "-search.latencyOffset=0s",
          "-loggerLevel=WARN",
          "-httpListenAddr=127.0.0.1:" + port);
    }
  };

  private final String label;
  private final String readyPath;
  private final String extraParameters;

  Peer(String label, String readyPath, String extraParameters) {
    this.label = label;
    this.readyPath = readyPath;
    this.extraParameters = extraParameters;
  }

  abstract List<String> command(Path root, Path config, Path data, int port);

  String label() {
    return label;
  }

  String readyPath() {
    return readyPath;
  }

  String extraParameters() {
    return extraParameters;
  }
}
