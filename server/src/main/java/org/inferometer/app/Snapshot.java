package org.inferometer.app;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.inferometer.config.DiagnosisConfig;
import org.inferometer.diagnosis.threshold.ThresholdSource;
import org.inferometer.signals.Catalogue;
import org.jspecify.annotations.Nullable;

/**
 * What endpoints said in a stretch of time, page by page, with what is needed to judge it: the same
 * snapshot gives the same diagnosis anywhere. It holds no secrets.
 *
 * @param program that took it, with its release
 * @param scrapes oldest first
 * @param goals by model, then by signal; the model {@code *} is any other
 * @param facts by model, then by key; the model {@code *} is any other
 * @param thresholds of the diagnosis that the user set, by service, then by name; {@code *} is any
 * @param dialects the user's dialect files
 * @param extras other files, for people
 */
record Snapshot(
    String program,
    List<Target> targets,
    List<Scrape> scrapes,
    Map<String, Map<String, Double>> goals,
    Map<String, Map<String, Double>> facts,
    Map<String, Map<String, Double>> thresholds,
    List<Catalogue.OwnFile> dialects,
    List<Extra> extras) {
  Snapshot {
    targets = List.copyOf(targets);
    scrapes = List.copyOf(scrapes);
    goals = Map.copyOf(goals);
    facts = Map.copyOf(facts);
    thresholds = Map.copyOf(thresholds);
    dialects = List.copyOf(dialects);
    extras = List.copyOf(extras);
  }

  /**
   * An endpoint.
   *
   * @param url without secrets
   * @param labels that its series get, {@code job} and {@code instance} among them
   * @param honorLabels whether labels of its pages stand above these
   */
  record Target(String url, Map<String, String> labels, boolean honorLabels) {
    Target {
      labels = Map.copyOf(labels);
    }
  }

  /**
   * One time that a target was asked.
   *
   * @param target its place in the list
   * @param timeMs when it was asked
   * @param seconds until the answer was there
   * @param page null if none came
   * @param says why none came, or ""
   */
  record Scrape(
      int target,
      long timeMs,
      double seconds,
      boolean isLate,
      @Nullable String contentType,
      @Nullable Packed page,
      String says) {}

  /** A file. */
  record Extra(String name, Packed content) {}

  /**
   * Bytes, compressed: a target's pages hardly differ from one another, and there are many.
   *
   * @param length uncompressed
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Packed(byte[] gzip, int length) {
    static Packed of(byte[] bytes) {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
        gzip.write(bytes);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      return new Packed(out.toByteArray(), bytes.length);
    }

    byte[] bytes() {
      try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(gzip))) {
        return in.readNBytes(length);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /** When the first page was asked for; 0 if there is none. */
  long startMs() {
    return scrapes.isEmpty() ? 0 : scrapes.getFirst().timeMs();
  }

  /** When the last page was asked for; 0 if there is none. */
  long endMs() {
    return scrapes.isEmpty() ? 0 : scrapes.getLast().timeMs();
  }

  /** How many pages came. */
  long pages() {
    return scrapes.stream().filter(scrape -> scrape.page() != null).count();
  }

  /** The values that signals of a service should stay below. */
  Map<String, Double> goalsOf(@Nullable String model) {
    return Settings.goalsOf(goals, model);
  }

  /** The thresholds of the diagnosis. */
  ThresholdSource thresholdSource() {
    Map<String, Map<String, Double>> services = new LinkedHashMap<>(thresholds);
    Map<String, Double> all = services.remove("*");
    DiagnosisConfig usual = DiagnosisConfig.DEFAULT;
    return OwnThresholds.of(
        new DiagnosisConfig(
            usual.enabled(),
            usual.intervalMs(),
            usual.windowMs(),
            all == null ? Map.of() : all,
            services));
  }

  /** The thresholds that a config sets, as a snapshot has them. */
  static Map<String, Map<String, Double>> thresholds(DiagnosisConfig config) {
    Map<String, Map<String, Double>> all = new LinkedHashMap<>(config.services());
    if (!config.thresholds().isEmpty()) {
      all.put("*", config.thresholds());
    }
    return all;
  }

  /** What was told of the deployment of a model, or else of any. */
  Map<String, Double> factsOf(@Nullable String model) {
    return Settings.factsOf(facts, model);
  }
}
