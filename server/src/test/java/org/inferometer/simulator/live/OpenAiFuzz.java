package org.inferometer.simulator.live;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;

/**
 * A target for Jazzer: whatever a client sends is read or refused, and what is read is answered.
 */
public final class OpenAiFuzz {
  private static final int CONTEXT = 4096;

  private OpenAiFuzz() {}

  public static void fuzzerTestOneInput(FuzzedDataProvider data) {
    OpenAiRequest.Kind kind =
        data.consumeBoolean() ? OpenAiRequest.Kind.CHAT : OpenAiRequest.Kind.COMPLETION;
    take(kind, data.consumeRemainingAsBytes());
  }

  /** Whether it was read. */
  static boolean take(OpenAiRequest.Kind kind, byte[] body) {
    OpenAiRequest request;
    try {
      request = OpenAiReader.read(kind, body);
    } catch (OpenAiException e) {
      if (e.status() < 400 || e.status() > 499 || String.valueOf(e.getMessage()).isEmpty()) {
        throw new AssertionError("expected a client's error with words, got " + e.status(), e);
      }
      return false;
    }
    Tokeniser tokens = request.tokenise(CONTEXT);
    if (tokens.tokens().length != Math.min(CONTEXT, tokens.count())) {
      throw new AssertionError("tokens got lost: " + tokens.count());
    }
    answer(request, new TokenPrompt(tokens.tokens()));
    return true;
  }

  private static void answer(OpenAiRequest request, TokenPrompt prompt) {
    long content = Plan.contentOf(prompt.contentKey(0, prompt.length()), 1);
    Integer asked = request.maxTokens();
    Plan plan = Plan.of(request, content, asked == null ? 100 : Math.min(CONTEXT, asked));
    StringBuilder streamed = new StringBuilder();
    for (int i = 0; i < plan.tokens(); i++) {
      streamed.append(plan.text(i, i + 1));
    }
    String whole = plan.text(0, plan.tokens());
    if (!streamed.toString().equals(whole)) {
      throw new AssertionError("streamed \"" + streamed + "\", whole \"" + whole + "\"");
    }
    if (plan.stopText() != null && whole.contains(plan.stopText()) && request.minTokens() == 0) {
      throw new AssertionError("the stop text is in the answer: " + plan);
    }
  }
}
