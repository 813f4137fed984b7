package org.inferometer.simulator.live;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.inferometer.http.HeldBytes;
import org.inferometer.model.Version;
import org.inferometer.simulator.edge.ApiFrontEnd;
import org.inferometer.simulator.edge.FrontEndCosts;
import org.inferometer.simulator.edge.IdleHostProcess;
import org.inferometer.simulator.engine.Engine;
import org.inferometer.simulator.engine.EngineConfig;
import org.inferometer.simulator.engine.VllmEngine;
import org.inferometer.simulator.event.Agenda;
import org.inferometer.simulator.event.Dice;
import org.inferometer.simulator.knob.Knobs;
import org.inferometer.simulator.knob.Part;
import org.inferometer.simulator.measure.EngineQuantity;
import org.inferometer.simulator.measure.Measures;
import org.inferometer.simulator.measure.ServerQuantity;
import org.inferometer.simulator.request.RequestIds;
import org.inferometer.simulator.request.Server;
import org.inferometer.simulator.scenario.Scenario;

/** An engine with its front end behind HTTP, whose steps take 10 ms of a clock that stands. */
final class LiveRig implements AutoCloseable {
  static final long STEP_MS = 10;
  static final String MODEL = "small-1b";
  static final int CONTEXT = 2000;

  /** 10:00 on some day. */
  static final long START_MS = 1_790_000_000_000L;

  final StepClock clock = new StepClock();
  final Agenda agenda = new Agenda();
  final Measures measures = new Measures(EngineQuantity.class, Measures.Edges.fine(), 0);
  final RealTime live;
  final SiteListener listener;
  final HttpClient client = HttpClient.newHttpClient();
  final Engine engine;
  final Server server;
  volatile boolean up = true;
  volatile boolean gateway;

  LiveRig() {
    this(Version.parse("0.15.0"), 0);
  }

  LiveRig(Version release, int maxNumQueued) {
    EngineConfig config =
        new EngineConfig(
            release,
            CONTEXT,
            4,
            4096,
            513,
            16,
            true,
            0,
            true,
            false,
            false,
            true,
            0,
            1,
            maxNumQueued,
            null,
            null,
            null);
    ApiFrontEnd frontEnd =
        new ApiFrontEnd(
            "small-0",
            Scenario.Frontend.PYTHON,
            new FrontEndCosts(0, 0, 0, 0, 0, 0),
            agenda,
            new Knobs(Part.SERVER),
            List.of(
                new ApiFrontEnd.Worker(
                    new IdleHostProcess(),
                    new Measures(ServerQuantity.class, Measures.Edges.fine(), 0))),
            outputs ->
                List.of(
                    new VllmEngine(
                        0,
                        config,
                        (_, _) -> STEP_MS * 1_000_000,
                        agenda,
                        measures,
                        new Knobs(Part.ENGINE),
                        outputs,
                        Dice.of(1))));
    server = frontEnd;
    engine = frontEnd.engines().getFirst();
    live = new RealTime(agenda, clock, 1, _ -> {}).start(clock);
    ModelCard card = new ModelCard(MODEL, "vllm", CONTEXT, release, null);
    OpenAiRoutes routes =
        new OpenAiRoutes(live, agenda, new OneApi(frontEnd, card), new RequestIds(), START_MS);
    listener =
        new SiteListener(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            List.of(),
            List.of(routes),
            new HeldBytes("bodies", 64_000_000),
            org.inferometer.time.Ticker.system());
    try {
      listener.start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private final class OneApi implements Api {
    private final Server server;
    private final ModelCard card;

    OneApi(Server server, ModelCard card) {
      this.server = server;
      this.card = card;
    }

    @Override
    public Server server() {
      return server;
    }

    @Override
    public boolean isUp() {
      return up;
    }

    @Override
    public List<ModelCard> models() {
      return List.of(card);
    }

    @Override
    public boolean isGateway() {
      return gateway;
    }
  }

  int port() {
    return listener.port();
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port() + path));
  }

  HttpResponse<String> get(String path) throws IOException, InterruptedException {
    return client.send(request(path).build(), HttpResponse.BodyHandlers.ofString());
  }

  /** An answer that comes without time passing: an error. */
  HttpResponse<String> post(String path, String json) throws IOException, InterruptedException {
    return client.send(posted(path, json).build(), HttpResponse.BodyHandlers.ofString());
  }

  HttpRequest.Builder posted(String path, String json) {
    return request(path)
        .header("Content-Type", "application/json")
        .POST(HttpRequest.BodyPublishers.ofString(json));
  }

  /** An answer, with as much time passing as it needs. */
  String finish(String path, String json, String... headers) throws Exception {
    HttpRequest.Builder posted = posted(path, json);
    if (headers.length > 0) {
      posted.headers(headers);
    }
    var answer = client.sendAsync(posted.build(), HttpResponse.BodyHandlers.ofString());
    while (!answer.isDone()) {
      clock.advance(STEP_MS);
      Thread.onSpinWait();
    }
    return answer.get().body();
  }

  /** What the simulation says now. */
  int running() throws Exception {
    return live.ask(engine::running);
  }

  double kvUsage() throws Exception {
    return live.ask(engine::kvUsage);
  }

  /** A connection on which a request was sent; its answer is read line by line. */
  final class Stream implements AutoCloseable {
    final Socket socket;
    private final BufferedReader in;

    Stream(String path, String json, String... headers) throws IOException {
      socket = new Socket(InetAddress.getLoopbackAddress(), port());
      socket.setSoTimeout(20_000);
      StringBuilder head = new StringBuilder("POST " + path + " HTTP/1.1\r\nHost: localhost\r\n");
      for (int i = 0; i < headers.length; i += 2) {
        head.append(headers[i]).append(": ").append(headers[i + 1]).append("\r\n");
      }
      byte[] body = json.getBytes(StandardCharsets.UTF_8);
      head.append("Content-Type: application/json\r\nContent-Length: ")
          .append(body.length)
          .append("\r\n\r\n");
      socket.getOutputStream().write(head.toString().getBytes(StandardCharsets.ISO_8859_1));
      socket.getOutputStream().write(body);
      socket.getOutputStream().flush();
      in =
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
    }

    /** The next event's data; null when the connection has been closed. */
    @org.jspecify.annotations.Nullable
    String event() throws IOException {
      String line = in.readLine();
      while (line != null && !line.startsWith("data: ")) {
        line = in.readLine();
      }
      return line == null ? null : line.substring("data: ".length());
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }

  /** Waits until the server has so many requests under way; simulated time stands. */
  void awaitInside(int count) throws Exception {
    for (int i = 0; live.ask(server::inFlight) != count; i++) {
      if (i > 2000) {
        throw new AssertionError("expected " + count + " requests under way");
      }
      clock.advance(0);
      Thread.sleep(5);
    }
  }

  @Override
  public void close() {
    live.close();
    listener.stop();
    client.close();
  }
}
