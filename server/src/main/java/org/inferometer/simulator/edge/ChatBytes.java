package org.inferometer.simulator.edge;

import org.inferometer.simulator.request.Request.Ask;

/** How many bytes chat requests and answers have, about. */
final class ChatBytes {
  static final String PATH = "/v1/chat/completions";

  /** English text: about four characters to a token. */
  private static final double BYTES_PER_TOKEN = 4;

  /** What stands around the text in JSON, of a request, an answer, a chunk and an error. */
  private static final int REQUEST_FRAME = 250;

  private static final int ANSWER_FRAME = 560;
  private static final int CHUNK_FRAME = 230;
  private static final int ERROR = 160;

  private ChatBytes() {}

  static long request(Ask ask) {
    return REQUEST_FRAME + Math.round(BYTES_PER_TOKEN * ask.prompt().length());
  }

  static long answer(int tokens, int status) {
    return status == 200 ? ANSWER_FRAME + Math.round(BYTES_PER_TOKEN * tokens) : ERROR;
  }

  /** Of a stream so far, if each chunk has a token. */
  static long stream(int tokens) {
    return Math.round((CHUNK_FRAME + BYTES_PER_TOKEN) * tokens);
  }
}
