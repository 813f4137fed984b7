package org.inferometer.simulator.live;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a client of the OpenAI API asks for.
 *
 * @param kind which of the two calls it is
 * @param model null if it names none
 * @param content of the prompt, in order
 * @param maxTokens null if it doesn't say
 * @param seed null if it doesn't say
 * @param stop texts that end the answer
 * @param penalties whether any penalty is asked for
 * @param includeUsage whether a stream ends with a chunk that has the counts of tokens
 * @param continuousUsage whether each chunk has them
 */
record OpenAiRequest(
    Kind kind,
    @Nullable String model,
    List<Content> content,
    @Nullable Integer maxTokens,
    int minTokens,
    boolean ignoreEos,
    double temperature,
    @Nullable Long seed,
    List<String> stop,
    boolean penalties,
    int priority,
    boolean stream,
    boolean includeUsage,
    boolean continuousUsage) {
  OpenAiRequest {
    content = List.copyOf(content);
    stop = List.copyOf(stop);
  }

  enum Kind {
    COMPLETION("cmpl-", "text_completion", "text_completion"),
    CHAT("chatcmpl-", "chat.completion", "chat.completion.chunk");

    private final String idPrefix;
    private final String object;
    private final String chunkObject;

    Kind(String idPrefix, String object, String chunkObject) {
      this.idPrefix = idPrefix;
      this.object = object;
      this.chunkObject = chunkObject;
    }

    String idPrefix() {
      return idPrefix;
    }

    String object() {
      return object;
    }

    String chunkObject() {
      return chunkObject;
    }
  }

  /** A piece of a prompt. */
  sealed interface Content {
    record Text(String text) implements Content {}

    record Ids(List<Integer> ids) implements Content {
      public Ids {
        ids = List.copyOf(ids);
      }
    }

    record MessageBegin(String role) implements Content {}

    record MessageEnd() implements Content {}

    record Image(String url) implements Content {}
  }

  /** The tokens of its prompt. */
  Tokeniser tokenise(int keptMax) {
    Tokeniser tokeniser = new Tokeniser(keptMax);
    for (Content piece : content) {
      switch (piece) {
        case Content.Text text -> tokeniser.text(text.text());
        case Content.Ids ids -> ids.ids().forEach(tokeniser::token);
        case Content.MessageBegin message -> tokeniser.beginMessage(message.role());
        case Content.MessageEnd ignored -> tokeniser.endMessage();
        case Content.Image image -> tokeniser.image(image.url());
      }
    }
    if (kind == Kind.CHAT) {
      tokeniser.beginMessage("assistant");
    }
    return tokeniser;
  }

  int images() {
    return (int) content.stream().filter(piece -> piece instanceof Content.Image).count();
  }
}
