package org.inferometer.api;

import io.helidon.webserver.http.HttpRules;
import io.helidon.webserver.http.HttpService;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import org.inferometer.promql.Expr;
import org.inferometer.promql.ParseException;
import org.inferometer.promql.Parser;
import org.inferometer.promql.ParserOptions;
import org.inferometer.promql.Printer;

/** What editors of queries ask about the text of one: its form, its tree. */
public final class LanguageRoutes implements HttpService {
  private final ParserOptions language;

  /**
   * @param language which parts of it are allowed
   */
  public LanguageRoutes(ParserOptions language) {
    this.language = language;
  }

  @Override
  public void routing(HttpRules rules) {
    Requests.readOrPost(rules, "/api/v1/format_query", this::format);
    Requests.readOrPost(rules, "/api/v1/parse_query", this::parse);
  }

  private void format(ServerRequest request, ServerResponse response) throws Exception {
    Expr expr = expr(request);
    Answer.success(request, response, json -> json.writeString(Printer.pretty(expr)));
  }

  private void parse(ServerRequest request, ServerResponse response) throws Exception {
    Expr expr = expr(request);
    Answer.success(request, response, json -> ExprJson.write(json, expr));
  }

  private Expr expr(ServerRequest request) throws Exception {
    try {
      return Parser.parse(Requests.parameters(request).get("query"), language);
    } catch (ParseException e) {
      throw ApiException.badParameter("query", String.valueOf(e.getMessage()));
    }
  }
}
