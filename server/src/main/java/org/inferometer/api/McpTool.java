package org.inferometer.api;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import org.inferometer.query.QueryException;

/** Something that an agent can have done; nothing is changed by it. */
@FunctionalInterface
interface McpTool {
  /** Writes the answer, a JSON object. */
  @FunctionalInterface
  interface Content {
    void write(JsonGenerator json) throws IOException;
  }

  /**
   * What it came to.
   *
   * @param says it in words; "" if there is nothing to say but the content
   */
  record Result(String says, Content content) {}

  /**
   * @throws ApiException if the arguments are wrong, saying what was expected
   * @throws QueryException if the source of the series can't answer
   */
  Result call(McpArguments arguments) throws ApiException, QueryException;
}
