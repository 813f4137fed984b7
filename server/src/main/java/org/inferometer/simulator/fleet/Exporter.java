package org.inferometer.simulator.fleet;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.inferometer.simulator.gpu.SimulatedGpu;
import org.inferometer.simulator.knob.Knob;
import org.inferometer.simulator.knob.Knobs;
import org.inferometer.simulator.page.PageForm;
import org.inferometer.simulator.page.Subject;

/** A small program beside what it tells of: it is always there, and quick. */
abstract class Exporter implements PageEndpoint.Source {
  /** Exporters of Go and the like take a few milliseconds for a page. */
  private static final long DELAY_NS = 4_000_000;

  private final PageForm form;

  Exporter(PageForm form) {
    this.form = form;
  }

  /** One that always tells of the same. */
  static Exporter of(PageForm form, List<Subject> subjects) {
    List<Subject> all = List.copyOf(subjects);
    return new Exporter(form) {
      @Override
      public List<Subject> subjects(Knobs scrape) {
        return all;
      }
    };
  }

  @Override
  public boolean isUp() {
    return true;
  }

  @Override
  public PageForm form() {
    return form;
  }

  @Override
  public long delayNs() {
    return DELAY_NS;
  }

  /** DCGM's exporter of one host. */
  static final class OfGpus extends Exporter {
    private final Machines.Machine machine;

    OfGpus(Machines.Machine machine, PageForm form) {
      super(form);
      this.machine = machine;
    }

    @Override
    public List<Subject> subjects(Knobs scrape) {
      List<Subject> subjects = new ArrayList<>();
      boolean profiling = !scrape.isOn(Knob.SCRAPE_PROFILING_OFF);
      for (SimulatedGpu gpu : machine.gpus()) {
        if (!gpu.isLost()) {
          subjects.add(subject(gpu, profiling));
        }
      }
      return subjects;
    }

    private Subject subject(SimulatedGpu gpu, boolean profiling) {
      Map<String, String> facts = new HashMap<>(gpu.facts(machine.host().name()));
      if (profiling) {
        facts.put("profiling", "1");
      }
      return new Subject("gpu", Map.of(), facts, gpu.measures());
    }
  }
}
