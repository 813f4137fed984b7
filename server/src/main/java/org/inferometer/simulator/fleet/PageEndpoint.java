package org.inferometer.simulator.fleet;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.inferometer.simulator.event.Agenda;
import org.inferometer.simulator.event.Dice;
import org.inferometer.simulator.knob.Knob;
import org.inferometer.simulator.knob.Knobs;
import org.inferometer.simulator.knob.Part;
import org.inferometer.simulator.page.Page;
import org.inferometer.simulator.page.PageForm;
import org.inferometer.simulator.page.PageWriter;
import org.inferometer.simulator.page.Subject;
import org.jspecify.annotations.Nullable;

/** An endpoint whose page tells of some subjects. Not thread-safe. */
final class PageEndpoint implements Endpoint {
  /** What stands behind an endpoint. */
  interface Source {
    /** Whether something listens. */
    boolean isUp();

    /** The form of its page now; it may change with a restart. */
    PageForm form();

    /**
     * What is on the page now.
     *
     * @param scrape how it is scraped: some of it changes what is there
     */
    List<Subject> subjects(Knobs scrape);

    /** Nanoseconds until it would answer. */
    long delayNs();
  }

  private final Agenda agenda;
  private final long startMs;
  private final Dice dice;
  private final String job;
  private final String name;
  private final String address;
  private final Map<String, String> labels;
  private final Source source;
  private final Knobs knobs = new Knobs(Part.SCRAPE);
  private @Nullable PageForm writtenForm;
  private double writtenClock;
  private @Nullable PageWriter writer;
  private @Nullable Page frozen;

  /**
   * @param startMs the time of day at the simulated moment 0
   * @param dice of this endpoint alone
   */
  PageEndpoint(
      Agenda agenda,
      long startMs,
      Dice dice,
      String job,
      String name,
      int port,
      Map<String, String> labels,
      Source source) {
    this.agenda = agenda;
    this.startMs = startMs;
    this.dice = dice;
    this.job = job;
    this.name = name;
    this.address = name + ".sim:" + port;
    this.labels = Collections.unmodifiableMap(new TreeMap<>(labels));
    this.source = source;
  }

  @Override
  public String job() {
    return job;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public String address() {
    return address;
  }

  @Override
  public Map<String, String> labels() {
    return labels;
  }

  @Override
  public String path() {
    return "/metrics";
  }

  @Override
  public Knobs knobs() {
    return knobs;
  }

  @Override
  public long delayNs() {
    return source.isUp() ? source.delayNs() : 0;
  }

  @Override
  public Page page() throws NoAnswer {
    if (knobs.isOn(Knob.SCRAPE_DOWN) || !source.isUp()) {
      throw new NoAnswer(name + " is down", false);
    }
    if (dice.chance(knobs.get(Knob.SCRAPE_MISSED))) {
      throw new NoAnswer(name + " doesn't answer", true);
    }
    if (!knobs.isOn(Knob.SCRAPE_FROZEN)) {
      frozen = null;
      return written();
    }
    Page page = frozen;
    if (page == null) {
      Page now = written();
      page = new Page(Arrays.copyOf(now.body(), now.length()), now.length(), now.contentType());
      frozen = page;
    }
    return page;
  }

  private Page written() {
    PageForm form = source.form();
    double clock = knobs.get(Knob.SCRAPE_CLOCK);
    PageWriter known = writer;
    if (known == null || form != writtenForm || clock != writtenClock) {
      known = form.writer(startMs + Math.round(clock * 1e3));
      writer = known;
      writtenForm = form;
      writtenClock = clock;
    }
    return known.write(source.subjects(knobs), agenda.now());
  }
}
