package org.inferometer.simulator.live;

import io.helidon.webserver.http.HttpService;
import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.inferometer.http.HeldBytes;
import org.inferometer.simulator.fleet.Endpoint;
import org.inferometer.simulator.fleet.Fleet;
import org.inferometer.simulator.fleet.Replica;
import org.inferometer.simulator.scenario.Faults;
import org.inferometer.time.Pacer;
import org.inferometer.time.Ticker;
import org.jspecify.annotations.Nullable;

/**
 * A fleet in real time, each part of it behind a port of its own: replicas and the gateway with
 * their APIs and pages, exporters with their pages, and one port to control the simulation.
 * Thread-safe.
 */
public final class LiveFleet implements AutoCloseable {
  /** The job of the port that controls the simulation. */
  public static final String CONTROL = "control";

  /** Replicas may be added while it runs. */
  private static final long LOOK_EVERY_NS = 1_000_000_000;

  private static final int PORT_MAX = 65_535;

  /**
   * How it is served.
   *
   * @param host address to listen on
   * @param firstPort of consecutive ones; 0 for any that are free
   * @param allowedHosts names besides those of loopback that clients may call it by
   * @param speed simulated seconds in a real one
   */
  public record Settings(InetAddress host, int firstPort, List<String> allowedHosts, double speed) {
    public Settings {
      allowedHosts = List.copyOf(allowedHosts);
    }
  }

  /**
   * What listens at a port.
   *
   * @param job of a scrape config; {@link #CONTROL} for the simulation's own
   * @param name of the part
   * @param address host and port
   * @param path of the page; null if there is none
   * @param hasApi whether requests can be sent there
   */
  public record Listening(
      String job, String name, String address, @Nullable String path, boolean hasApi) {}

  private record Site(Listening listening, SiteListener listener) {}

  private final Fleet fleet;
  private final Settings settings;
  private final Ticker ticker;
  private final Consumer<String> say;
  private final RealTime time;
  private final Injections injections;
  private final HeldBytes bodies = HeldBytes.ofBodies();

  /** By job and name. Guarded by this. */
  private final Map<String, Site> sites = new LinkedHashMap<>();

  private int nextPort;
  private boolean closed;
  private Pacer.@Nullable Running looking;

  /**
   * @param say is told what happens, in sentences without a full stop
   */
  public LiveFleet(Fleet fleet, Settings settings, Ticker ticker, Consumer<String> say) {
    this.fleet = fleet;
    this.settings = settings;
    this.ticker = ticker;
    this.say = say;
    this.nextPort = settings.firstPort();
    this.time = new RealTime(fleet.agenda(), ticker, settings.speed(), this::onHeldBack);
    this.injections = new Injections(fleet);
  }

  private void onHeldBack(long nanos) {
    say.accept(
        String.format(
            Locale.ROOT,
            "the simulation was %.1f s late; its time stood still for so long",
            nanos / 1e9));
  }

  /**
   * Listens everywhere, and lets time go on from where the fleet is.
   *
   * @throws IOException if an address can't be listened on; then nothing listens
   */
  public LiveFleet start() throws IOException {
    return start(fleet::now);
  }

  /**
   * Listens everywhere, and lets time go on towards the present.
   *
   * @param presentNs the simulated time that should be now; asked when all ports are open
   * @throws IOException if an address can't be listened on; then nothing listens
   */
  public LiveFleet start(LongSupplier presentNs) throws IOException {
    try {
      open(CONTROL, fleet.scenario().name(), null, false, List.of(control()));
      List<Endpoint> endpoints = fleet.endpoints();
      for (String job : List.of("gateway", "engine", "gpu", "host", "client")) {
        openAll(endpoints, job);
      }
    } catch (IOException e) {
      close();
      throw e;
    }
    time.start(Pacer.platformThreads(), presentNs.getAsLong());
    looking = Pacer.virtualThreads().start("live-ports", LOOK_EVERY_NS, this::look);
    return this;
  }

  private ControlRoutes control() {
    return new ControlRoutes(
        time, fleet, injections, Faults.builtIn(), () -> String.join("\n", table()), say);
  }

  private void openAll(List<Endpoint> endpoints, String job) throws IOException {
    for (Endpoint endpoint : endpoints) {
      if (endpoint.job().equals(job)) {
        open(endpoint);
      }
    }
  }

  private void open(Endpoint endpoint) throws IOException {
    List<HttpService> services = new ArrayList<>();
    services.add(new ScrapeRoutes(time, fleet.agenda(), endpoint));
    Api api = api(endpoint);
    if (api != null) {
      services.add(
          new OpenAiRoutes(time, fleet.agenda(), api, fleet.requestIds(), fleet.startMs()));
    }
    open(endpoint.job(), endpoint.name(), endpoint.path(), api != null, services);
  }

  private @Nullable Api api(Endpoint endpoint) {
    if (endpoint.job().equals("gateway")) {
      return FleetApis.ofEntry(fleet);
    }
    if (endpoint.job().equals("engine")) {
      for (Replica replica : fleet.replicas()) {
        if (replica.name().equals(endpoint.name())) {
          return FleetApis.of(fleet, replica);
        }
      }
    }
    return null;
  }

  private synchronized void open(
      String job, String name, @Nullable String path, boolean hasApi, List<HttpService> services)
      throws IOException {
    if (closed) {
      return;
    }
    if (nextPort > PORT_MAX) {
      throw new IOException("there are no ports beyond " + PORT_MAX);
    }
    InetSocketAddress address = new InetSocketAddress(settings.host(), nextPort);
    SiteListener listener =
        new SiteListener(address, settings.allowedHosts(), services, bodies, ticker);
    try {
      listener.start();
    } catch (IOException e) {
      throw new IOException(hostText() + ":" + nextPort + ": " + e.getMessage(), e);
    }
    nextPort += nextPort == 0 ? 0 : 1;
    Listening listening =
        new Listening(job, name, hostText() + ":" + listener.port(), path, hasApi);
    sites.put(key(job, name), new Site(listening, listener));
  }

  private static String key(String job, String name) {
    return job + " " + name;
  }

  private String hostText() {
    String host = settings.host().getHostAddress();
    return settings.host() instanceof Inet6Address ? "[" + host + "]" : host;
  }

  /** Opens ports for what was added, and closes those of what is gone. */
  private long look() throws InterruptedException {
    try {
      List<Endpoint> endpoints = time.ask(fleet::endpoints);
      closeGone(endpoints);
      for (Endpoint endpoint : endpoints) {
        if (!isOpen(endpoint)) {
          open(endpoint);
          say.accept("a port was opened for " + endpoint.name());
        }
      }
    } catch (RealTime.BusyException e) {
      return time.end().isDone() ? Pacer.DONE : LOOK_EVERY_NS;
    } catch (IOException e) {
      say.accept("no port could be opened for what was added: " + e.getMessage());
      return Pacer.DONE;
    }
    return LOOK_EVERY_NS;
  }

  private synchronized boolean isOpen(Endpoint endpoint) {
    return closed || sites.containsKey(key(endpoint.job(), endpoint.name()));
  }

  private void closeGone(List<Endpoint> endpoints) {
    List<String> there =
        new ArrayList<>(endpoints.stream().map(e -> key(e.job(), e.name())).toList());
    there.add(key(CONTROL, fleet.scenario().name()));
    List<Site> gone = new ArrayList<>();
    synchronized (this) {
      sites
          .entrySet()
          .removeIf(
              site -> {
                boolean isGone = !there.contains(site.getKey());
                if (isGone) {
                  gone.add(site.getValue());
                }
                return isGone;
              });
    }
    gone.forEach(site -> site.listener.stop());
  }

  public RealTime time() {
    return time;
  }

  /** What is done to the fleet; on the simulation's thread. */
  public Injections injections() {
    return injections;
  }

  /** All that listens, the control port first. */
  public synchronized List<Listening> listening() {
    return sites.values().stream().map(Site::listening).toList();
  }

  /** What listens where, in lines of less than 80 characters if names are short. */
  public List<String> table() {
    List<Listening> all = listening();
    int job = width(all, Listening::job);
    int name = width(all, Listening::name);
    int address = width(all, one -> "http://" + one.address());
    List<String> lines = new ArrayList<>();
    for (Listening one : all) {
      lines.add(
          pad(one.job(), job)
              + pad(one.name(), name)
              + pad("http://" + one.address(), address)
              + offers(one));
    }
    return lines;
  }

  private static String offers(Listening one) {
    if (one.job().equals(CONTROL)) {
      return "/faults /state";
    }
    return (one.hasApi() ? "/v1 " : "") + one.path();
  }

  private static int width(List<Listening> all, Function<Listening, String> text) {
    return all.stream().mapToInt(one -> text.apply(one).length()).max().orElse(0) + 2;
  }

  private static String pad(String text, int width) {
    return text + " ".repeat(width - text.length());
  }

  /** Stops time, then closes all ports. Of no effect the second time. */
  @Override
  public void close() {
    List<Site> open;
    synchronized (this) {
      closed = true;
      open = List.copyOf(sites.values());
      sites.clear();
    }
    if (looking != null) {
      looking.stop();
    }
    time.close();
    // Each waits a moment for requests under way; all at a time.
    try (ExecutorService stops = Executors.newVirtualThreadPerTaskExecutor()) {
      open.forEach(site -> stops.execute(site.listener::stop));
    }
  }
}
