package org.inferometer.signals;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.inferometer.query.QueryException;
import org.jspecify.annotations.Nullable;

/** Which engine runs on a GPU, and what it tells of its cache and its requests. */
final class GpuEngines {
  private static final List<String> SIGNALS = List.of("kv_usage", "running");

  private final Map<String, List<Binding>> enginesOfGpus = new HashMap<>();
  private final Map<String, SignalResult> results = new HashMap<>();

  /** A replica of an engine. */
  record Use(Binding engine, Binding.Member member) {}

  private GpuEngines(Collection<Binding> all) {
    for (Binding engine : all) {
      if (engine.kind() == ServiceKind.ENGINE) {
        for (Service.Related related : Relations.of(engine, all)) {
          enginesOfGpus.computeIfAbsent(related.id(), id -> new ArrayList<>()).add(engine);
        }
      }
    }
  }

  static GpuEngines look(
      Collection<Binding> all, SignalQueries queries, Vocabulary vocabulary, long nowMs)
      throws QueryException {
    GpuEngines engines = new GpuEngines(all);
    List<SignalQueries.Question> questions = new ArrayList<>();
    for (Binding binding : all) {
      if (binding.kind() == ServiceKind.ENGINE) {
        for (String name : SIGNALS) {
          Signal signal = vocabulary.find(name);
          if (signal != null) {
            questions.add(
                new SignalQueries.Question(binding, signal, List.of("instance"), null, null));
          }
        }
      }
    }
    for (SignalResult result : queries.ask(questions, SignalBatch.at(nowMs, List.of()))) {
      engines.results.put(key(result.service(), result.signal()), result);
    }
    return engines;
  }

  private static String key(String service, String signal) {
    return service + "\n" + signal;
  }

  /**
   * The one replica that uses a GPU: by its pod, or the only one on the machine.
   *
   * @return null if there is none, or more than one could be meant
   */
  @Nullable Use of(Binding gpu, Set<String> pods) {
    Set<String> hosts = new TreeSet<>(gpu.hosts());
    List<Use> byPod = new ArrayList<>();
    List<Use> near = new ArrayList<>();
    List<Use> all = new ArrayList<>();
    for (Binding engine : enginesOfGpus.getOrDefault(gpu.id(), List.of())) {
      for (Binding.Member member : engine.members()) {
        Use use = new Use(engine, member);
        String pod = member.scraped().labels().get("pod");
        all.add(use);
        if (pods.contains(pod)) {
          byPod.add(use);
        } else if (!Collections.disjoint(hosts, hosts(member))
            && (pods.isEmpty() || pod.isEmpty())) {
          near.add(use);
        }
      }
    }
    if (!byPod.isEmpty()) {
      return only(byPod);
    }
    return near.isEmpty() && pods.isEmpty() ? only(all) : only(near);
  }

  private static Set<String> hosts(Binding.Member member) {
    Set<String> hosts = new TreeSet<>();
    hosts.add(member.target().host());
    for (String label : List.of("node", "nodename", "hostname")) {
      hosts.add(member.scraped().labels().get(label));
    }
    hosts.remove("");
    return hosts;
  }

  private static @Nullable Use only(List<Use> uses) {
    return uses.size() == 1 ? uses.getFirst() : null;
  }

  /** What an engine's replica tells of a signal now, null if nothing. */
  @Nullable Double value(Use use, String signal) {
    SignalResult result = results.get(key(use.engine().id(), signal));
    if (result == null) {
      return null;
    }
    for (SignalSeries series : result.series()) {
      if (series.labels().get("instance").equals(use.member().target().instance())
          && !Double.isNaN(series.values()[0])) {
        return series.values()[0];
      }
    }
    return null;
  }
}
