package org.inferometer.diagnosis.world;

import java.util.ArrayList;
import java.util.List;
import org.inferometer.query.QueryException;
import org.inferometer.query.Together;
import org.inferometer.signals.SignalBatch;
import org.inferometer.signals.SignalResult;
import org.inferometer.signals.Signals;
import org.jspecify.annotations.Nullable;

/** Asks several batches, some at the same time. */
final class Asking {
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
    List<Together.Question<Answer>> all = new ArrayList<>();
    questions.forEach(one -> all.add(() -> ask(one)));
    return Together.answers(all);
  }

  private Answer ask(Question question) throws QueryException {
    SignalBatch batch = question.batch();
    return new Answer(batch, signals.query(batch, question.windowMs()).results());
  }
}
