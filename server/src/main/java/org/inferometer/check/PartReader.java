package org.inferometer.check;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.inferometer.query.QueryException;
import org.inferometer.signals.Absence;
import org.inferometer.signals.Catalogue;
import org.inferometer.signals.DialectProfile;
import org.inferometer.signals.Facet;
import org.inferometer.signals.Facts;
import org.inferometer.signals.Goals;
import org.inferometer.signals.Quality;
import org.inferometer.signals.Service;
import org.inferometer.signals.Signal;
import org.inferometer.signals.SignalBatch;
import org.inferometer.signals.SignalResult;
import org.inferometer.signals.SignalSeries;
import org.inferometer.signals.Signals;
import org.inferometer.time.Ticker;

/** Tells what an endpoint is and which signals it feeds, from its scrapes. Thread-safe. */
final class PartReader {
  /** Parts of one page: an engine with so many models is nothing that one reads. */
  private static final int PARTS_MAX = 20;

  /** Values of one signal. */
  private static final int VALUES_MAX = 20;

  /** How an absent signal says which release has it. */
  private static final Pattern SINCE = Pattern.compile("has it since ([0-9]+(?:\\.[0-9]+)*)\\.");

  /** How what would bring a signal says that it is a release alone. */
  private static final Pattern NEWER = Pattern.compile("(.+) ([0-9]+(?:\\.[0-9]+)*) or newer");

  /** How an absent formula says which part it lacks; one may take another. */
  private static final Pattern TAKES = Pattern.compile("^(It takes [^:]{1,120}: )+");

  /** How an absent signal names what isn't exposed. */
  private static final Pattern NAMES =
      Pattern.compile(
          "^[a-zA-Z_:][a-zA-Z0-9_:]*(, [a-zA-Z_:][a-zA-Z0-9_:]*)* (isn't|aren't) exposed\\. ?");

  /** What is said of signals that a release has and a page hasn't. */
  private static final String EXPECTED =
      "Releases like this one have it and the page hasn't: the page is cut or filtered, or nothing"
          + " has happened yet.";

  private final Catalogue catalogue;
  private final Goals goals;
  private final Facts facts;
  private final Ticker ticker;
  private final Map<String, Signal> signals = new LinkedHashMap<>();

  PartReader(Catalogue catalogue, Goals goals, Facts facts, Ticker ticker) {
    this.catalogue = catalogue;
    this.goals = goals;
    this.facts = facts;
    this.ticker = ticker;
    catalogue.signals().forEach(signal -> signals.put(signal.name(), signal));
  }

  /** The parts, engines first. */
  List<Part> read(World world, ParsedPage page) throws QueryException {
    Signals asked = new Signals(catalogue, world.queries(), world::nowMs, ticker, goals, facts);
    List<Service> services = new ArrayList<>(asked.services().services());
    services.sort(Comparator.comparing(Service::kind).thenComparing(Service::id));
    List<Part> parts = new ArrayList<>();
    for (Service service : services.subList(0, Math.min(PARTS_MAX, services.size()))) {
      parts.add(part(service, asked, world, page));
    }
    return parts;
  }

  private Part part(Service service, Signals asked, World world, ParsedPage page)
      throws QueryException {
    DialectProfile profile = catalogue.profile(service.engine().id());
    List<Part.Feed> all = feeds(service, asked, world);
    List<Part.Feed> feeds = all.stream().filter(f -> f.quality() != Quality.ABSENT).toList();
    Map<String, Double> goal = goals.of(service.id(), service.model());
    BucketCheck buckets = new BucketCheck(catalogue.families(), profile, page);
    return new Part(
        service.id(),
        service.kind(),
        service.name(),
        service.engine(),
        service.version(),
        service.model(),
        profile == null ? List.of() : facets(profile.facets(), world),
        feeds,
        lacks(service, all),
        never(service),
        buckets.views(feeds, goal));
  }

  private static List<Part.FacetValue> facets(List<Facet> facets, World world)
      throws QueryException {
    Map<String, Part.FacetValue> values = new LinkedHashMap<>();
    for (Facet facet : facets) {
      String query = facet.query(world.job(), world.instance(), world.windowMs());
      if (!values.containsKey(facet.name()) && !world.ask(query).isEmpty()) {
        values.put(facet.name(), new Part.FacetValue(facet.name(), facet.value(), facet.because()));
      }
    }
    return List.copyOf(values.values());
  }

  private List<Part.Feed> feeds(Service service, Signals asked, World world) throws QueryException {
    List<Part.Feed> feeds = new ArrayList<>();
    List<String> names = service.signals();
    for (int i = 0; i < names.size(); i += SignalBatch.SIGNALS_MAX) {
      List<String> some = names.subList(i, Math.min(names.size(), i + SignalBatch.SIGNALS_MAX));
      SignalBatch batch =
          SignalBatch.at(
              world.nowMs(), List.of(new SignalBatch.Request(service.id(), some, List.of())));
      for (SignalResult result : asked.query(batch, world.windowMs()).results()) {
        Signal signal = signals.get(result.signal());
        if (signal != null) {
          feeds.add(feed(signal, result));
        }
      }
    }
    return feeds;
  }

  private static Part.Feed feed(Signal signal, SignalResult result) {
    List<Part.Value> values = new ArrayList<>();
    for (SignalSeries series : result.series()) {
      double value = series.values()[0];
      boolean known = !Double.isNaN(value) || !Double.isNaN(series.high(0));
      if (known && values.size() < VALUES_MAX) {
        values.add(new Part.Value(series.labels(), value, series.low(0), series.high(0)));
      }
    }
    return new Part.Feed(
        signal, result.quality(), result.reason(), result.query(), result.goal(), values);
  }

  /** Those that something would bring, by what that is; first those that the page has in part. */
  private static List<Part.Lack> lacks(Service service, List<Part.Feed> feeds) {
    Map<String, Part.Lack> lacks = new LinkedHashMap<>();
    for (Part.Feed feed : feeds) {
      if (feed.quality() == Quality.ABSENT) {
        String reason = String.valueOf(feed.reason());
        List<String> signals = List.of(feed.signal().name());
        lacks.merge(
            reason, new Part.Lack(Absence.BROKEN, null, reason, signals), PartReader::merged);
      }
    }
    for (Service.AbsentSignal absent : service.absent()) {
      if (isNever(absent)) {
        continue;
      }
      Part.Lack lack = lack(service, absent);
      String key = lack.why() + "\n" + (lack.fix() == null ? lack.reason() : lack.fix());
      lacks.merge(key, lack, PartReader::merged);
    }
    return List.copyOf(lacks.values());
  }

  private static Part.Lack merged(Part.Lack one, Part.Lack other) {
    List<String> names = new ArrayList<>(one.signals());
    names.addAll(other.signals());
    return new Part.Lack(one.why(), one.fix(), one.reason(), names);
  }

  private static Part.Lack lack(Service service, Service.AbsentSignal absent) {
    List<String> signals = List.of(absent.signal());
    String reason = withoutNames(absent.reason());
    Matcher since = SINCE.matcher(reason);
    if (absent.fix() != null && hasRelease(service, absent.fix())) {
      return new Part.Lack(Absence.BROKEN, null, EXPECTED, signals);
    }
    if (absent.fix() != null || absent.why() != Absence.RELEASE || !since.find()) {
      return new Part.Lack(absent.why(), absent.fix(), reason, signals);
    }
    String release = service.engine().title() + " " + since.group(1) + " or newer";
    return service.version() != null && service.version().isAtLeast(since.group(1))
        ? new Part.Lack(Absence.BROKEN, null, EXPECTED, signals)
        : new Part.Lack(Absence.RELEASE, release, reason, signals);
  }

  /** Whether what would bring a signal is a release that the service has already. */
  private static boolean hasRelease(Service service, String fix) {
    Matcher newer = NEWER.matcher(fix);
    return service.version() != null
        && newer.matches()
        && newer.group(1).equals(service.engine().title())
        && service.version().isAtLeast(newer.group(2));
  }

  /** A reason without the names that are missing, so that one reason is told once. */
  private static String withoutNames(String reason) {
    String rest = NAMES.matcher(TAKES.matcher(reason).replaceFirst("")).replaceFirst("");
    return rest.isEmpty() ? reason : rest;
  }

  private static boolean isNever(Service.AbsentSignal absent) {
    return absent.why() == Absence.ENGINE && absent.fix() == null;
  }

  private static List<String> never(Service service) {
    return service.absent().stream()
        .filter(PartReader::isNever)
        .map(Service.AbsentSignal::signal)
        .toList();
  }
}
