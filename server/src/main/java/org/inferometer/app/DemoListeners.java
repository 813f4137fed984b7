package org.inferometer.app;

import io.helidon.http.HeaderNames;
import io.helidon.http.Status;
import io.helidon.webserver.http.HttpRouting;
import io.helidon.webserver.http.ServerResponse;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.inferometer.http.HeldBytes;
import org.inferometer.http.HttpListener;
import org.inferometer.simulator.fleet.Endpoint;
import org.inferometer.simulator.fleet.Fleet;
import org.inferometer.simulator.live.RealTime;
import org.inferometer.simulator.page.Page;
import org.inferometer.time.Pacer;
import org.inferometer.time.Ticker;
import org.inferometer.time.WallClock;
import org.jspecify.annotations.Nullable;

/** Provisional: the pages of a live fleet, each endpoint on a free port of loopback. */
final class DemoListeners implements AutoCloseable {
  private final Fleet fleet;
  private final DemoFleet demo;
  private final RealTime time;
  private final List<HttpListener> listeners = new ArrayList<>();
  private final List<DemoConfig.Endpoint> endpoints = new ArrayList<>();
  private final Ticker ticker;

  DemoListeners(Fleet fleet, DemoFleet demo, Console console, Ticker ticker) {
    this.fleet = fleet;
    this.demo = demo;
    this.ticker = ticker;
    this.time = new RealTime(fleet.agenda(), ticker, 1, ns -> console.say("late " + ns));
  }

  void goLive(WallClock clock) throws IOException {
    List<Endpoint> all = fleet.endpoints();
    time.start(Pacer.virtualThreads());
    demo.goLive(time, clock);
    for (Endpoint endpoint : all) {
      HttpListener listener =
          new HttpListener(
              new HttpListener.Settings(
                  new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                  64,
                  1 << 20,
                  new HeldBytes("bodies", 1 << 24),
                  new HeldBytes("results", 1 << 26)),
              HttpRouting.builder().get(endpoint.path(), (q, a) -> answer(endpoint, a)),
              (chain, q, a) -> chain.proceed(),
              (status, message) -> "{}",
              ticker);
      listeners.add(listener.start());
      endpoints.add(
          new DemoConfig.Endpoint(
              endpoint.job(),
              endpoint.path(),
              "127.0.0.1:" + listener.port(),
              demo.instance(endpoint)));
    }
  }

  private void answer(Endpoint endpoint, ServerResponse response) throws Exception {
    @Nullable Page page =
        time.ask(
            () -> {
              try {
                Page p = endpoint.page();
                return new Page(Arrays.copyOf(p.body(), p.length()), p.length(), p.contentType());
              } catch (Endpoint.NoAnswer e) {
                return new Page(new byte[0], 0, "");
              }
            });
    if (page.length() == 0) {
      response.status(Status.SERVICE_UNAVAILABLE_503);
      response.send();
      return;
    }
    response.header(HeaderNames.CONTENT_TYPE, page.contentType());
    response.send(page.body());
  }

  List<DemoConfig.Endpoint> endpoints() {
    return List.copyOf(endpoints);
  }

  @Override
  public void close() {
    listeners.forEach(HttpListener::stop);
    time.close();
  }
}
