package org.inferometer.diagnosis.world;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.inferometer.query.QueryException;
import org.inferometer.signals.SignalBatch;
import org.inferometer.signals.SignalResult;
import org.inferometer.signals.Signals;
import org.jspecify.annotations.Nullable;

/** Asks several batches, some at the same time. */
final class Asking {
  /** Batches on their way at a time; a source answers others meanwhile. */
  private static final int AT_A_TIME = 4;

  private final Signals signals;

  Asking(Signals signals) {
    this.signals = signals;
  }

  /**
   * A batch.
   *
   * @param windowMs what rates are taken over; null for what fits the scrapes
   */
  record Question(SignalBatch batch, @Nullable Long windowMs) {}

  /** What a batch came to: a result for each of its signals, in their order. */
  record Answer(SignalBatch batch, List<SignalResult> results) {
    void forEach(Told told) {
      int next = 0;
      for (SignalBatch.Request request : batch.requests()) {
        for (int i = 0; i < request.signals().size(); i++) {
          told.told(results.get(next++), SignalReader.isSplit(request));
        }
      }
    }
  }

  /** Is told of each result. */
  interface Told {
    void told(SignalResult result, boolean isSplit);
  }

  /**
   * The answers in the order of the questions.
   *
   * @throws QueryException if the source of the series can't answer one
   */
  List<Answer> all(List<Question> questions) throws QueryException {
    List<Answer> answers = new ArrayList<>();
    try (ExecutorService threads =
        Executors.newFixedThreadPool(AT_A_TIME, Thread.ofVirtual().factory())) {
      List<Future<Answer>> asked = new ArrayList<>();
      questions.forEach(one -> asked.add(threads.submit(() -> ask(one))));
      try {
        for (Future<Answer> one : asked) {
          answers.add(answer(one));
        }
      } finally {
        threads.shutdownNow();
      }
    }
    return answers;
  }

  private Answer ask(Question question) throws QueryException {
    SignalBatch batch = question.batch();
    return new Answer(batch, signals.query(batch, question.windowMs()).results());
  }

  private static Answer answer(Future<Answer> asked) throws QueryException {
    try {
      return asked.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new QueryException(QueryException.Kind.CANCELED, "the diagnosis was given up", e);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof QueryException failure) {
        throw failure;
      }
      throw new IllegalStateException("a batch of signals failed", e.getCause());
    }
  }
}
