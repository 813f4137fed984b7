package org.inferometer.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class TogetherTest {
  @Test
  void answers_areInTheOrderOfTheQuestions() throws QueryException {
    CountDownLatch second = new CountDownLatch(1);
    List<Together.Question<Integer>> questions = new ArrayList<>();
    questions.add(() -> after(second));
    questions.add(
        () -> {
          second.countDown();
          return 2;
        });
    for (int i = 3; i <= 20; i++) {
      int number = i;
      questions.add(() -> number);
    }
    assertThat(Together.answers(questions)).hasSize(20).startsWith(1, 2, 3).endsWith(19, 20);
  }

  private static int after(CountDownLatch other) {
    try {
      other.await();
      return 1;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return -1;
    }
  }

  @Test
  void answers_ofNoQuestionsAreNone() throws QueryException {
    assertThat(Together.answers(List.of())).isEmpty();
  }

  /** The others would wait for ever. */
  @Test
  void aFailure_isToldAndEndsTheRest() {
    List<Together.Question<Integer>> questions = new ArrayList<>();
    questions.add(
        () -> {
          throw new QueryException(QueryException.Kind.TIMEOUT, "too long");
        });
    for (int i = 0; i < 10; i++) {
      questions.add(() -> after(new CountDownLatch(1)));
    }
    assertThatThrownBy(() -> Together.answers(questions))
        .isInstanceOf(QueryException.class)
        .hasMessage("too long");
  }

  @Test
  void aBug_isNoFailureOfTheSource() {
    List<Together.Question<Integer>> questions =
        List.of(
            () -> {
              throw new IllegalArgumentException("a bug");
            });
    assertThatThrownBy(() -> Together.answers(questions))
        .isInstanceOf(IllegalStateException.class)
        .hasRootCauseMessage("a bug");
  }
}
