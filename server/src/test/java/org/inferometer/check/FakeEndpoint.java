package org.inferometer.check;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import org.inferometer.config.ScrapeConfig;
import org.inferometer.config.Urls;
import org.inferometer.exposition.ExpositionParser;
import org.inferometer.exposition.Format;
import org.inferometer.model.Labels;
import org.inferometer.scrape.FailureReason;
import org.inferometer.scrape.TargetProbe;
import org.inferometer.signals.Catalogue;
import org.inferometer.signals.Facts;
import org.inferometer.signals.Goals;
import org.inferometer.time.VirtualTime;
import org.jspecify.annotations.Nullable;

/** An endpoint whose answers a test makes, in virtual time. */
final class FakeEndpoint implements Endpoint {
  static final Catalogue CATALOGUE = Catalogue.builtIn();
  private static final long TOOK_MS = 10;
  static final long NOW_MS = 1_790_000_000_000L;

  private final VirtualTime time = new VirtualTime(NOW_MS);
  private final IntFunction<TargetProbe.Answer> answers;
  private TargetProbe probe = TargetProbe.silent(Urls.scrapeConfig("http://host:8000/metrics"));
  private List<String> paths = List.of("/metrics");
  private int count;
  final List<String> asked = new ArrayList<>();

  private FakeEndpoint(IntFunction<TargetProbe.Answer> answers) {
    this.answers = answers;
  }

  /** Answers by the number of the request, from 0. */
  static FakeEndpoint answering(IntFunction<TargetProbe.Answer> answers) {
    return new FakeEndpoint(answers);
  }

  /** Pages by the number of the scrape, from 0. */
  static FakeEndpoint serving(IntFunction<String> pages) {
    return new FakeEndpoint(n -> page(pages.apply(n)));
  }

  static FakeEndpoint serving(String page) {
    return serving(n -> page);
  }

  static TargetProbe.Page page(String body) {
    return new TargetProbe.Page(
        "http://host:8000/metrics",
        body.getBytes(StandardCharsets.UTF_8),
        "text/plain; version=0.0.4",
        null,
        0.01);
  }

  static TargetProbe.Failure failure(FailureReason reason, String sentence, String said) {
    return new TargetProbe.Failure("http://host:8000/metrics", reason, sentence, said);
  }

  FakeEndpoint paths(String... those) {
    paths = List.of(those);
    return this;
  }

  FakeEndpoint config(ScrapeConfig config) {
    probe = TargetProbe.silent(config);
    return this;
  }

  VirtualTime time() {
    return time;
  }

  EndpointReport check() throws InterruptedException {
    return check(Goals.NONE);
  }

  EndpointReport check(Goals goals) throws InterruptedException {
    return new Checker(CATALOGUE, goals, Facts.NONE, time, time, time::pass, 5_000).check(this);
  }

  @Override
  public String target() {
    return "http://host:8000/metrics";
  }

  @Override
  public Labels labels() {
    return probe.labels();
  }

  @Override
  public long intervalMs() {
    return probe.intervalMs();
  }

  @Override
  public long timeoutMs() {
    return probe.timeoutMs();
  }

  @Override
  public boolean isLive() {
    return true;
  }

  @Override
  public List<String> paths() {
    return paths;
  }

  @Override
  public TargetProbe.Answer fetch(String path) {
    asked.add(path);
    time.pass(TOOK_MS);
    return answers.apply(count++);
  }

  @Override
  public Format fallback() {
    return Format.TEXT;
  }

  @Override
  public @Nullable Labels stored(ExpositionParser parser) {
    return probe.stored(parser);
  }

  @Override
  public void close() {}
}
