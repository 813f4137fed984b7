package org.inferometer.app;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/** Scores the diagnosis: {@code bin/score} says how it is called. */
final class Score {
  private Score() {}

  /**
   * Runs cases, as many at a time as there are processors.
   *
   * @param out is told how far it is, null for nobody
   */
  static List<ScoredWindow> run(List<ScoredCase> cases, @Nullable PrintStream out)
      throws InterruptedException, ExecutionException {
    ExecutorService workers =
        Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors());
    try {
      List<Future<List<ScoredWindow>>> running = new ArrayList<>();
      for (ScoredCase one : cases) {
        running.add(workers.submit((Callable<List<ScoredWindow>>) () -> new ScoredRun(one).run()));
      }
      List<ScoredWindow> windows = new ArrayList<>();
      for (int i = 0; i < running.size(); i++) {
        List<ScoredWindow> some = running.get(i).get();
        windows.addAll(some);
        if (out != null) {
          tell(out, i + 1, cases.size(), some);
        }
      }
      return windows;
    } finally {
      workers.shutdownNow();
    }
  }

  private static void tell(PrintStream out, int done, int all, List<ScoredWindow> windows) {
    for (ScoredWindow one : windows) {
      if (!one.isRight()) {
        out.printf(
            Locale.ROOT,
            "%4d/%d %-30s %-20s +%-4s %-22s told %s%s%n",
            done,
            all,
            one.scenario(),
            one.variant(),
            one.minute(),
            one.truth(),
            one.first(),
            one.told().size() > 1 ? " then " + one.told().subList(1, one.told().size()) : "");
      }
    }
    if (done % 20 == 0) {
      out.printf(Locale.ROOT, "%4d/%d%n", done, all);
    }
  }

  public static void main(String[] args)
      throws InterruptedException, ExecutionException, IOException {
    Logger.getLogger("").setLevel(Level.OFF); // Scrapes that fail on purpose aren't news.
    PrintStream out = System.out;
    String which = args.length > 0 ? args[0] : "whole";
    String names = args.length > 1 ? args[1] : ".*";
    String page = args.length > 2 ? args[2] : null;
    List<ScoredCase> cases = new ArrayList<>();
    if (which.equals("small")) {
      cases.addAll(ScoredSet.small());
    }
    if (which.equals("whole") || which.equals("all")) {
      cases.addAll(ScoredSet.whole());
    }
    List<ScoredCase> degraded = new ArrayList<>();
    if (which.equals("degraded") || which.equals("all")) {
      degraded.addAll(ScoredSet.degraded());
    }
    cases.removeIf(one -> !one.scenario().name().matches(names));
    degraded.removeIf(one -> !one.scenario().name().matches(names));
    StringBuilder text = new StringBuilder();
    if (!cases.isEmpty()) {
      text.append(ScoreTable.intro()).append(new ScoreTable(run(cases, out)).text());
    }
    if (!degraded.isEmpty()) {
      text.append(ScoreTable.degraded(run(degraded, out)));
    }
    out.print(text);
    if (page != null) {
      Files.writeString(Path.of(page), text, StandardCharsets.UTF_8);
    }
  }
}
