package org.inferometer.simulator.page;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.inferometer.model.Version;
import org.inferometer.simulator.measure.EngineQuantity;
import org.inferometer.simulator.measure.Measures;
import org.inferometer.simulator.measure.Quantity;
import org.inferometer.simulator.measure.Quantity.Kind;
import org.inferometer.simulator.measure.ServerQuantity;

/** Pages of an engine that has worked for a while: every quantity has moved. */
final class VllmSample {
  static final long NOW_NS = 3_600_000_000_000L;
  static final long EPOCH_MS = 1_790_000_000_000L;

  private VllmSample() {}

  static PageForm form(String page, String release, String frontend) {
    return PageFile.builtIn(page)
        .form(Version.parse(release), frontend, Map.of("max_model_len", "32768"));
  }

  static String text(String page, String release, String frontend, String... facts) {
    return text(form(page, release, frontend), facts);
  }

  /**
   * @param facts names and values by turns, of the engine
   */
  static String text(PageForm form, String... facts) {
    Page page = form.writer(EPOCH_MS).write(subjects(form, facts), NOW_NS);
    return new String(page.body(), 0, page.length(), StandardCharsets.UTF_8);
  }

  /** The page of two data-parallel engines. */
  static String ofTwoEngines(PageForm form, String... facts) {
    List<Subject> subjects = new ArrayList<>(subjects(form, facts));
    Subject first = subjects.getFirst();
    subjects.clear();
    for (String index : List.of("0", "1")) {
      Map<String, String> own = new LinkedHashMap<>(first.facts());
      own.put("engine", index);
      own.put("dp_rank", index);
      subjects.add(new Subject("engine", Map.of(), own, engine(form)));
    }
    Page page = form.writer(EPOCH_MS).write(subjects, NOW_NS);
    return new String(page.body(), 0, page.length(), StandardCharsets.UTF_8);
  }

  static List<Subject> subjects(PageForm form, String... facts) {
    Map<String, String> all = new LinkedHashMap<>();
    all.put("model_name", "Qwen/Qwen3-32B");
    all.put("num_gpu_blocks", "20000");
    for (int i = 0; i < facts.length; i += 2) {
      all.put(facts[i], facts[i + 1]);
    }
    List<Subject> subjects = new ArrayList<>();
    subjects.add(new Subject("engine", Map.of(), all, engine(form)));
    subjects.add(new Subject("server", Map.of(), Map.of(), server(form)));
    return subjects;
  }

  static Measures engine(PageForm form) {
    Measures measures = new Measures(EngineQuantity.class, form.edges(), 60_000_000_000L);
    move(measures, EngineQuantity.values());
    measures.set(EngineQuantity.PREFIX_QUERY_TOKENS, 4000);
    measures.set(EngineQuantity.SPEC_DRAFT_TOKENS, 2074);
    measures.set(EngineQuantity.SPEC_ACCEPTED_TOKENS, 900);
    measures.set(EngineQuantity.SPEC_ACCEPTED_AT, "0", 700);
    measures.set(EngineQuantity.SPEC_ACCEPTED_AT, "1", 200);
    for (String reason : List.of("stop", "length")) {
      measures.add(EngineQuantity.FINISHED, reason, 40);
    }
    measures.add(EngineQuantity.FINISHED, "abort", 3);
    measures.add(EngineQuantity.FINISHED, "error", 2);
    measures.add(EngineQuantity.PROMPT_TOKENS_BY_SOURCE, "local_compute", 1000);
    measures.set(EngineQuantity.ADAPTERS_RUNNING, "sql", 1);
    measures.set(EngineQuantity.ADAPTERS_WAITING, "chat", 1);
    measures.set(EngineQuantity.KV_USAGE, 0.4375);
    return measures;
  }

  static Measures server(PageForm form) {
    Measures measures = new Measures(ServerQuantity.class, form.edges(), 50_000_000_000L);
    move(measures, ServerQuantity.values());
    measures.add(ServerQuantity.HTTP_REQUESTS, "POST\n/v1/chat/completions\n2xx", 83);
    measures.distribution(ServerQuantity.HTTP_SECONDS, "POST\n/v1/chat/completions").observe(2.5);
    for (Quantity bytes :
        List.of(
            ServerQuantity.HTTP_REQUEST_BYTES,
            ServerQuantity.HTTP_RESPONSE_BYTES,
            ServerQuantity.HTTP_HANDLED)) {
      measures.add(bytes, "/v1/chat/completions", 83);
    }
    return measures;
  }

  private static void move(Measures measures, Quantity... quantities) {
    for (Quantity quantity : quantities) {
      if (quantity.kind() == Kind.DISTRIBUTION) {
        measures.distribution(quantity).observe(0.75, 3);
        measures.distribution(quantity).observe(0.0625 * (1 + quantity.ordinal()), 7);
      } else if (quantity.kind() == Kind.COUNTER || quantity.kind() == Kind.GAUGE) {
        measures.set(quantity, 1000 + quantity.ordinal());
      }
    }
  }
}
