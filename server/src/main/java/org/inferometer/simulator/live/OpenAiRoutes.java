package org.inferometer.simulator.live;

import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;
import io.helidon.http.Method;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.http.HttpRules;
import io.helidon.webserver.http.HttpService;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.inferometer.http.Connections;
import org.inferometer.http.RefusedException;
import org.inferometer.http.RequestBody;
import org.inferometer.simulator.event.Agenda;
import org.inferometer.simulator.event.Dice;
import org.inferometer.simulator.request.Outcome;
import org.inferometer.simulator.request.Request;
import org.inferometer.simulator.request.RequestIds;
import org.inferometer.simulator.request.Server;
import org.jspecify.annotations.Nullable;

/**
 * The API of an engine, or of the gateway before several: requests go into the simulation, and
 * tokens come out when their step ends.
 */
final class OpenAiRoutes implements HttpService {
  /** A prompt of a million tokens has about six million characters. */
  static final int BODY_BYTES_MAX = 8 * 1024 * 1024;

  /** Of CPU, to scale and cut an image of a million pixels or so; some tens of milliseconds. */
  private static final long IMAGE_NS = 40_000_000;

  /** Milliseconds after which it is looked whether there still is a simulation. */
  private static final long PATIENCE_MS = 1000;

  private static final int NAME_LENGTH_MAX = 128;
  private static final HeaderName REQUEST_ID = HeaderNames.create("X-Request-Id");
  private static final List<Method> READ = List.of(Method.GET, Method.HEAD);
  private static final List<Method> READ_OR_POST = List.of(Method.GET, Method.HEAD, Method.POST);
  private static final List<Method> POST = List.of(Method.POST);
  private static final byte[] DONE = "data: [DONE]\n\n".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] DATA = "data: ".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] END = "\n\n".getBytes(StandardCharsets.US_ASCII);

  private final RealTime live;
  private final Agenda agenda;
  private final Api api;
  private final RequestIds ids;
  private final long startMs;
  private final AtomicLong answers = new AtomicLong();

  /**
   * @param agenda the one that {@code live} runs
   * @param ids those of the workload too; on the simulation's thread
   * @param startMs the time of day at which the simulation began
   */
  OpenAiRoutes(RealTime live, Agenda agenda, Api api, RequestIds ids, long startMs) {
    this.live = live;
    this.agenda = agenda;
    this.api = api;
    this.ids = ids;
    this.startMs = startMs;
  }

  @Override
  public void routing(HttpRules rules) {
    Reply.route(rules, "/health", READ, (_, response) -> health(response));
    Reply.route(rules, "/ping", READ_OR_POST, (_, response) -> health(response));
    Reply.route(rules, "/version", READ, this::version);
    Reply.route(rules, "/load", READ, this::load);
    Reply.route(rules, "/v1/models", READ, this::models);
    Reply.route(
        rules,
        "/v1/completions",
        POST,
        (request, response) -> answer(OpenAiRequest.Kind.COMPLETION, request, response));
    Reply.route(
        rules,
        "/v1/chat/completions",
        POST,
        (request, response) -> answer(OpenAiRequest.Kind.CHAT, request, response));
  }

  /** What the API is at a moment. */
  private record State(List<ModelCard> models, long seconds, int inFlight) {}

  /**
   * @throws CloseConnectionException if nothing listens there in the simulation
   */
  private State state() throws RealTime.BusyException, InterruptedException {
    State state =
        live.ask(
            () ->
                new State(
                    api.isUp() ? List.copyOf(api.models()) : List.of(),
                    (startMs + agenda.now() / 1_000_000) / 1000,
                    api.isUp() ? api.server().inFlight() : 0));
    if (state.models.isEmpty()) {
      throw new CloseConnectionException("the simulated server is down");
    }
    return state;
  }

  private void health(ServerResponse response) throws RealTime.BusyException, InterruptedException {
    state();
    Reply.empty(response);
  }

  private void version(ServerRequest request, ServerResponse response)
      throws RealTime.BusyException, InterruptedException {
    byte[] body = OpenAiJson.version(state().models.getFirst().release());
    Reply.json(request, response, 200, body);
  }

  private void load(ServerRequest request, ServerResponse response)
      throws RealTime.BusyException, InterruptedException {
    Reply.json(request, response, 200, OpenAiJson.load(state().inFlight));
  }

  private void models(ServerRequest request, ServerResponse response)
      throws RealTime.BusyException, InterruptedException {
    State state = state();
    Reply.json(request, response, 200, OpenAiJson.models(state.models, state.seconds));
  }

  private void answer(OpenAiRequest.Kind kind, ServerRequest request, ServerResponse response)
      throws RealTime.BusyException, InterruptedException, IOException {
    State state = state();
    try {
      answer(OpenAiReader.read(kind, body(request)), state, request, response);
    } catch (OpenAiException e) {
      byte[] body = OpenAiJson.error(e, state.models.getFirst().release());
      Reply.json(request, response, e.status(), body);
    }
  }

  private static byte[] body(ServerRequest request) throws OpenAiException, IOException {
    String type = request.headers().first(HeaderNames.CONTENT_TYPE).orElse("");
    if (!type.toLowerCase(Locale.ROOT).split(";", 2)[0].strip().equals("application/json")) {
      throw OpenAiException.of(
          415, "Unsupported Media Type", "expected \"Content-Type: application/json\"");
    }
    try {
      return RequestBody.read(request, BODY_BYTES_MAX);
    } catch (RefusedException e) {
      throw OpenAiException.of(e.why().status(), "Bad Request", String.valueOf(e.getMessage()));
    }
  }

  private void answer(
      OpenAiRequest asked, State state, ServerRequest request, ServerResponse response)
      throws OpenAiException, RealTime.BusyException, InterruptedException, IOException {
    ModelCard model = model(asked, state.models);
    Tokeniser tokens = asked.tokenise(model.contextMax());
    int maxTokens = maxTokens(asked, tokens.count(), model.contextMax());
    Exchange exchange = begin(asked, model, new TokenPrompt(tokens.tokens()), maxTokens, request);
    try {
      OpenAiJson.Head head =
          new OpenAiJson.Head(
              asked.kind(),
              asked.kind().idPrefix() + exchange.request.ask.name(),
              state.seconds,
              model.id(),
              model.release());
      response.header(REQUEST_ID, exchange.request.ask.name());
      if (asked.stream()) {
        stream(asked, head, exchange, request, response);
      } else {
        whole(head, exchange, request, response);
      }
    } finally {
      if (!exchange.ended) {
        live.tell(() -> abandon(exchange));
      }
    }
  }

  private static ModelCard model(OpenAiRequest asked, List<ModelCard> models)
      throws OpenAiException {
    if (asked.model() == null) {
      return models.getFirst();
    }
    for (ModelCard card : models) {
      if (card.id().equals(asked.model())) {
        return card;
      }
    }
    throw OpenAiException.notFound("model", "The model `" + asked.model() + "` does not exist.");
  }

  /** As many as it asks for, or as fit. */
  private static int maxTokens(OpenAiRequest asked, int promptTokens, int contextMax)
      throws OpenAiException {
    String context = "This model's maximum context length is " + contextMax + " tokens. However, ";
    if (promptTokens < 1) {
      throw OpenAiException.badRequest("prompt", "expected a prompt of a token at least");
    }
    if (promptTokens >= contextMax) {
      throw OpenAiException.badRequest(
          "prompt",
          context
              + "your request has "
              + promptTokens
              + " input tokens; please shorten the input.");
    }
    Integer max = asked.maxTokens();
    if (max != null && promptTokens + (long) max > contextMax) {
      throw OpenAiException.badRequest(
          "max_tokens",
          context
              + "you requested "
              + (promptTokens + (long) max)
              + " tokens ("
              + promptTokens
              + " in the input, "
              + max
              + " in the completion); please ask for less.");
    }
    return max == null ? contextMax - promptTokens : max;
  }

  /** A request that is in the simulation, and what comes of it. */
  private final class Exchange {
    private final Server server;
    private final Request request;
    private final Plan plan;
    private final Delivery delivery;
    private final Connections.Connection connection;
    private boolean ended;

    Exchange(
        Server server,
        Request request,
        Plan plan,
        Delivery delivery,
        Connections.Connection connection) {
      this.server = server;
      this.request = request;
      this.plan = plan;
      this.delivery = delivery;
      this.connection = connection;
    }

    /**
     * Waits for the end, or for tokens beyond those seen.
     *
     * @throws CloseConnectionException if the client leaves meanwhile, or the simulation ends
     */
    Delivery.Progress await(int seen) {
      Delivery.Progress progress = null;
      while (progress == null || !isNews(progress, seen)) {
        connection.beginAsking();
        try {
          progress = delivery.await(seen, plan.tokens(), PATIENCE_MS);
        } catch (InterruptedException e) {
          throw new CloseConnectionException("the client left before its answer", e);
        } finally {
          connection.endAsking();
        }
        if (connection.hasLeft() || live.end().isDone()) {
          throw new CloseConnectionException("the client left, or the simulation ended");
        }
      }
      ended = progress.outcome() != null;
      return progress;
    }

    private boolean isNews(Delivery.Progress progress, int seen) {
      return progress.outcome() != null
          || (progress.tokens() > seen && progress.tokens() < plan.tokens());
    }

    OpenAiJson.Usage usage(Delivery.Progress progress) {
      return new OpenAiJson.Usage(
          request.promptTokens(), progress.tokens(), progress.cachedTokens());
    }

    OpenAiJson.@Nullable End end(Delivery.Progress progress) {
      Outcome outcome = progress.outcome();
      return outcome == null || outcome.finish() == null
          ? null
          : new OpenAiJson.End(outcome.finish(), plan.stopText());
    }
  }

  private Exchange begin(
      OpenAiRequest asked, ModelCard model, TokenPrompt prompt, int maxTokens, ServerRequest http)
      throws RealTime.BusyException, InterruptedException {
    Connections.Connection connection = Connections.of(http);
    String given = http.headers().first(REQUEST_ID).orElse("");
    Plan plan = Plan.of(asked, content(asked, prompt), maxTokens);
    Delivery delivery = new Delivery(asked.stream());
    AtomicReference<@Nullable Exchange> begun = new AtomicReference<>();
    try {
      return live.ask(
          () -> {
            Request request = request(asked, model, prompt, plan, given);
            Server server = api.server();
            Exchange exchange = new Exchange(server, request, plan, delivery, connection);
            begun.set(exchange);
            server.submit(request, delivery);
            return exchange;
          });
    } catch (InterruptedException e) {
      live.tell(() -> abandon(begun.get()));
      throw e;
    }
  }

  private static void abandon(@Nullable Exchange exchange) {
    if (exchange != null) {
      exchange.server.abandon(exchange.request);
    }
  }

  private Request request(
      OpenAiRequest asked, ModelCard model, TokenPrompt prompt, Plan plan, String given) {
    long id = ids.next();
    Request.Ask ask =
        new Request.Ask(
            name(given, id),
            "http",
            prompt,
            plan.outputTokens(),
            plan.maxTokens(),
            model.parent() == null ? null : model.id(),
            asked.priority(),
            asked.temperature(),
            asked.penalties(),
            asked.images() * IMAGE_NS,
            asked.stream());
    Request request = new Request(id, ask, plan.content());
    request.dueNs = agenda.now();
    request.sentNs = agenda.now();
    return request;
  }

  /** At temperature 0, or with a seed, the same prompt has the same answer. */
  private long content(OpenAiRequest asked, TokenPrompt prompt) {
    Long seed = asked.seed();
    long luck =
        seed != null ? seed : asked.temperature() == 0 ? 0 : Dice.mix(answers.incrementAndGet());
    return Plan.contentOf(prompt.contentKey(0, prompt.length()), luck);
  }

  /** What a client calls its request goes into logs: visible characters of ASCII only. */
  private static String name(String given, long id) {
    StringBuilder name = new StringBuilder();
    given.chars().limit(NAME_LENGTH_MAX).forEach(c -> name.append(isPlain(c) ? (char) c : '_'));
    if (name.isEmpty()) {
      HexFormat hex = HexFormat.of();
      name.append(hex.toHexDigits(Dice.mix(id))).append(hex.toHexDigits(Dice.mix(~id)));
    }
    return name.toString();
  }

  private static boolean isPlain(int c) {
    return c > ' ' && c < 0x7f && c != '"' && c != '\\';
  }

  private void whole(
      OpenAiJson.Head head, Exchange exchange, ServerRequest request, ServerResponse response)
      throws OpenAiException {
    Delivery.Progress progress = exchange.await(Integer.MAX_VALUE - 1);
    OpenAiJson.End end = exchange.end(progress);
    if (end == null || !isOk(progress)) {
      fail(progress.outcome(), request, response);
      return;
    }
    String text = exchange.plan.text(0, progress.tokens());
    byte[] body = OpenAiJson.whole(head, text, end, exchange.usage(progress));
    Reply.json(request, response, 200, body);
  }

  private static boolean isOk(Delivery.Progress progress) {
    return progress.outcome() == null || progress.outcome().isOk();
  }

  /** Nothing of the answer has been sent yet. */
  private void fail(@Nullable Outcome outcome, ServerRequest request, ServerResponse response)
      throws OpenAiException {
    int status = outcome == null ? 0 : outcome.status();
    if (status < 400) {
      throw new CloseConnectionException("the simulated server broke the connection");
    }
    String reason = outcome == null ? "" : outcome.reason();
    if (api.isGateway() && status >= 500) {
      ProxyError.send(request, response, status);
      return;
    }
    throw switch (status) {
      case 400 -> OpenAiException.badRequest(null, "the request can't be served: " + reason);
      case 503 ->
          OpenAiException.of(
              503, "ServiceUnavailableError", "the server takes no more requests: " + reason);
      default -> OpenAiException.of(status, "InternalServerError", "the engine failed: " + reason);
    };
  }

  private void stream(
      OpenAiRequest asked,
      OpenAiJson.Head head,
      Exchange exchange,
      ServerRequest request,
      ServerResponse response)
      throws OpenAiException, IOException {
    Delivery.Progress progress = exchange.await(0);
    if (!isOk(progress)) {
      fail(progress.outcome(), request, response);
      return;
    }
    response.header(HeaderNames.CONTENT_TYPE, "text/event-stream; charset=utf-8");
    response.header(HeaderNames.CACHE_CONTROL, "no-cache");
    OutputStream out = response.outputStream();
    if (asked.kind() == OpenAiRequest.Kind.CHAT) {
      send(out, exchange, OpenAiJson.roleChunk(head, usage(asked, exchange, progress)));
    }
    int sent = 0;
    while (isOk(progress)) {
      String text = exchange.plan.text(sent, progress.tokens());
      OpenAiJson.End end = exchange.end(progress);
      byte[] chunk = OpenAiJson.chunk(head, text, end, usage(asked, exchange, progress));
      send(out, exchange, chunk);
      sent = progress.tokens();
      if (end != null) {
        break;
      }
      progress = exchange.await(sent);
    }
    if (!isOk(progress)) {
      throw new CloseConnectionException("the simulated server broke the connection");
    }
    if (asked.includeUsage()) {
      send(out, exchange, OpenAiJson.usageChunk(head, exchange.usage(progress)));
    }
    out.write(DONE);
    out.close();
  }

  private static OpenAiJson.@Nullable Usage usage(
      OpenAiRequest asked, Exchange exchange, Delivery.Progress progress) {
    return asked.continuousUsage() ? exchange.usage(progress) : null;
  }

  /** A client that doesn't read holds up its own connection's thread, until the watch closes it. */
  private static void send(OutputStream out, Exchange exchange, byte[] json) throws IOException {
    exchange.connection.enter(Connections.Phase.SENDING);
    out.write(DATA);
    out.write(json);
    out.write(END);
    out.flush();
  }
}
