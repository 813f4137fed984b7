package org.inferometer.api;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import org.inferometer.query.QueryException;
import org.inferometer.query.QueryResult;

/** The answer of {@code /api/v1/query} to who doesn't ask through HTTP. */
public final class QueryAnswer {
  private QueryAnswer() {}

  /** The body of an answer of success. */
  public static String of(QueryResult result) {
    return text(
        json -> {
          json.writeStartObject();
          json.writeStringField("status", "success");
          json.writeFieldName("data");
          QueryJson.write(json, result.value());
          Answer.writeTexts(json, "warnings", result.warnings());
          Answer.writeTexts(json, "infos", result.infos());
          json.writeEndObject();
        });
  }

  /** The body of an answer of failure. */
  public static String of(QueryException failure) {
    ApiException told = ApiException.of(failure);
    return text(
        json -> Answer.writeError(json, told.kind().type(), String.valueOf(told.getMessage())));
  }

  private static String text(Answer.Data data) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = Answer.JSON.createGenerator(text)) {
      data.write(json);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return text.toString();
  }
}
