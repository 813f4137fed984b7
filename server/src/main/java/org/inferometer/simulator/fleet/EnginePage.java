package org.inferometer.simulator.fleet;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.inferometer.hardware.ModelShape;
import org.inferometer.simulator.engine.Engine;
import org.inferometer.simulator.engine.EngineConfig;
import org.inferometer.simulator.measure.Measures;
import org.inferometer.simulator.page.PageFile;
import org.inferometer.simulator.page.PageForm;
import org.inferometer.simulator.page.Subject;
import org.inferometer.simulator.scenario.Scenario;

/** What a replica's page looks like, and whom it tells of. */
final class EnginePage {
  private final Map<String, String> facts;
  private final PageForm form;

  EnginePage(Scenario.Replicas made, ModelShape model, EngineConfig config, EngineSetup setup) {
    facts = facts(made, model, config, setup);
    String engine = made.engine().name().toLowerCase(Locale.ROOT);
    String frontend = made.frontend().name().toLowerCase(Locale.ROOT);
    form = PageFile.builtIn(engine).form(made.release(), frontend, facts);
  }

  private static Map<String, String> facts(
      Scenario.Replicas made, ModelShape model, EngineConfig config, EngineSetup setup) {
    Map<String, String> facts = new HashMap<>();
    facts.put("model_name", made.servedName());
    facts.put("model_path", model.name());
    facts.put("release", made.release().toString());
    facts.put("max_model_len", Integer.toString(config.maxModelLen()));
    facts.put("max_num_seqs", Integer.toString(config.maxNumSeqs()));
    facts.put("max_num_batched_tokens", Integer.toString(config.maxNumBatchedTokens()));
    facts.put("block_size", Integer.toString(config.blockSize()));
    facts.put("num_gpu_blocks", Integer.toString(config.blocks()));
    long tokens = (long) config.blocks() * config.blockSize();
    facts.put("kv_cache_size_tokens", Long.toString(tokens));
    facts.put("kv_cache_max_concurrency", Double.toString(tokens / (double) config.maxModelLen()));
    facts.put("gpu_memory_utilization", Double.toString(setup.utilization()));
    facts.put("enable_prefix_caching", config.prefixCaching() ? "True" : "False");
    String kv = made.flags().kvCacheDtype();
    facts.put("cache_dtype", kv == null ? "auto" : kv);
    if (config.speculation() != null) {
      facts.put("speculation", Integer.toString(config.speculation().draftTokens()));
    }
    if (config.adapters() != null) {
      facts.put("adapters", Integer.toString(config.adapters().slots()));
    }
    if (config.transfers() != null) {
      facts.put("transfers", "1");
    }
    return facts;
  }

  PageForm form() {
    return form;
  }

  /** Engines and processes of one life of the replica. */
  List<Subject> subjects(List<Engine> engines, List<Measures> processes) {
    List<Subject> subjects = new ArrayList<>();
    for (Engine engine : engines) {
      Map<String, String> own = new HashMap<>(facts);
      own.put("engine", Integer.toString(engine.index()));
      if (engines.size() > 1) {
        own.put("dp_rank", Integer.toString(engine.index()));
      }
      subjects.add(new Subject("engine", Map.of(), own, engine.measures()));
    }
    for (Measures process : processes) {
      subjects.add(new Subject("server", Map.of(), facts, process));
    }
    return subjects;
  }
}
