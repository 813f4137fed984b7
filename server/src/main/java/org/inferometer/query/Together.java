package org.inferometer.query;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Has several questions answered, some at the same time; none goes on when one has failed. */
public final class Together {
  /** Questions on their way at a time; a source answers others meanwhile. */
  private static final int AT_A_TIME = 4;

  private Together() {}

  /** Gets one answer. */
  @FunctionalInterface
  public interface Question<T> {
    T answer() throws QueryException;
  }

  /**
   * The answers in the order of the questions.
   *
   * @throws QueryException if the source of the series can't answer one, or all were given up
   */
  public static <T> List<T> answers(List<Question<T>> questions) throws QueryException {
    List<T> answers = new ArrayList<>();
    try (ExecutorService threads =
        Executors.newFixedThreadPool(AT_A_TIME, Thread.ofVirtual().factory())) {
      List<Future<T>> asked = new ArrayList<>();
      questions.forEach(one -> asked.add(threads.submit(one::answer)));
      try {
        for (Future<T> one : asked) {
          answers.add(answer(one));
        }
      } finally {
        threads.shutdownNow();
      }
    }
    return answers;
  }

  private static <T> T answer(Future<T> asked) throws QueryException {
    try {
      return asked.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new QueryException(QueryException.Kind.CANCELED, "the questions were given up", e);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof QueryException failure) {
        throw failure;
      }
      throw new IllegalStateException("a question failed", e.getCause());
    }
  }
}
