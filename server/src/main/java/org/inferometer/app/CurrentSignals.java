package org.inferometer.app;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.inferometer.signals.Catalogue;
import org.inferometer.signals.Signals;

/** The signals by the dialect files in force, made anew when those change. Thread-safe. */
final class CurrentSignals {
  private final Function<Catalogue, Signals> maker;
  private final CompletableFuture<Signals> first = new CompletableFuture<>();
  private List<Catalogue.OwnFile> files = List.of();
  private volatile CompletableFuture<Signals> current = first;

  CurrentSignals(Function<Catalogue, Signals> maker) {
    this.maker = maker;
  }

  /** May take a while the first time. */
  Signals get() {
    return current.join();
  }

  /**
   * Reads the first files: built-in ones on the executor, those of the user's at once, since they
   * may be wrong.
   *
   * @throws CommandException if they are
   */
  synchronized void start(List<Catalogue.OwnFile> own, Executor executor) {
    if (own.isEmpty()) {
      first.completeAsync(() -> maker.apply(Catalogue.builtIn()), executor);
    } else {
      files = List.copyOf(own);
      first.complete(maker.apply(DialectFiles.catalogue(own)));
    }
  }

  /**
   * Puts other files in force, unless they are the same.
   *
   * @throws CommandException if they are wrong; those before stay in force
   */
  synchronized void change(List<Catalogue.OwnFile> own) {
    if (!own.equals(files)) {
      current = CompletableFuture.completedFuture(maker.apply(DialectFiles.catalogue(own)));
      files = List.copyOf(own);
    }
  }
}
