package org.inferometer.app;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.inferometer.simulator.scenario.Scenario;
import org.inferometer.simulator.scenario.Scenarios;
import org.jspecify.annotations.Nullable;

/** Shows what scenarios there are, and what one is about. */
final class ScenarioView {
  private static final int KEY_WIDTH = 12;
  private static final String HEALTHY = "healthy";

  private final Console console;
  private final OutputFormat format;

  ScenarioView(Console console, OutputFormat format) {
    this.console = console;
    this.format = format;
  }

  /**
   * Names with their titles, grouped by cause in the order of the list. What is healthy stands with
   * the cause that it is beside.
   */
  void list(Scenarios scenarios) {
    if (format == OutputFormat.json) {
      console.out().println(json(scenarios.entries()));
      return;
    }
    String cause = "";
    for (Scenarios.Entry entry : scenarios.entries()) {
      if (cause.isEmpty() || !(isHealthy(entry) || entry.cause().equals(cause))) {
        cause = entry.cause();
        console.out().println(console.bold(cause));
      }
      Wrapping.lines("  " + entry.name() + ": ", "    ", entry.title() + mark(entry, cause))
          .forEach(console.out()::println);
    }
  }

  private static boolean isHealthy(Scenarios.Entry entry) {
    return entry.cause().equals(HEALTHY);
  }

  /** Whether it is a healthy one among sick ones, and what it is easily taken for. */
  private static String mark(Scenarios.Entry entry, String group) {
    List<String> marks = new ArrayList<>();
    if (isHealthy(entry) && !group.equals(HEALTHY)) {
      marks.add(HEALTHY);
    }
    String other = entry.looksLike();
    if (other != null && !other.equals(group)) {
      marks.add("looks like " + other);
    }
    return marks.isEmpty() ? "" : " (" + String.join(", ", marks) + ")";
  }

  private static String json(List<Scenarios.Entry> entries) {
    return JsonText.of(
        json -> {
          json.writeStartArray();
          for (Scenarios.Entry entry : entries) {
            json.writeStartObject();
            json.writeStringField("name", entry.name());
            json.writeStringField("title", entry.title());
            json.writeStringField("cause", entry.cause());
            optional(json, "looks_like", entry.looksLike());
            optional(json, "twin_of", entry.twinOf());
            json.writeEndObject();
          }
          json.writeEndArray();
        });
  }

  void describe(Scenario scenario) {
    if (format == OutputFormat.json) {
      console.out().println(json(scenario));
      return;
    }
    console.out().println(console.bold(scenario.title()));
    Scenario.Truth truth = scenario.truth();
    line("name", scenario.name());
    line("cause", truth.cause());
    line("layer", truth.layer());
    line("scope", truth.scope());
    line("begins", truth.cause().equals(HEALTHY) ? null : after(truth.startNs()));
    line("takes", Amounts.duration(scenario.durationNs() / 1_000_000));
    line("follows", String.join(", ", truth.follows()));
    line("looks like", truth.looksLike());
    line("twin of", truth.twinOf());
    line("fleet", fleet(scenario));
    line("asked by", workloads(scenario));
    line("says", truth.says());
  }

  private static String after(long ns) {
    return "after " + Amounts.duration(ns / 1_000_000);
  }

  private void line(String key, @Nullable String value) {
    if (value != null && !value.isEmpty()) {
      String space = " ".repeat(KEY_WIDTH);
      Wrapping.lines((key + space).substring(0, KEY_WIDTH), space, value)
          .forEach(console.out()::println);
    }
  }

  private static String fleet(Scenario scenario) {
    StringBuilder text = new StringBuilder();
    for (Scenario.Replicas group : scenario.fleet().replicas()) {
      int gpus = group.tensorParallel() * group.dataParallel();
      text.append(text.isEmpty() ? "" : ", ")
          .append(
              "%s %s (%s %s, %s, %s)"
                  .formatted(
                      group.count(),
                      group.name(),
                      group.engine().name().toLowerCase(java.util.Locale.ROOT),
                      group.release(),
                      group.model(),
                      gpus == 1 ? group.gpu() : gpus + " " + group.gpu() + " each"));
    }
    Scenario.Gateway gateway = scenario.fleet().gateway();
    return text + (gateway == null ? "" : ", behind " + gateway.name());
  }

  private static String workloads(Scenario scenario) {
    return String.join(", ", scenario.workloads().stream().map(Scenario.Workload::name).toList());
  }

  private static String json(Scenario scenario) {
    Scenario.Truth truth = scenario.truth();
    return JsonText.of(
        json -> {
          json.writeStartObject();
          json.writeStringField("name", scenario.name());
          json.writeStringField("title", scenario.title());
          json.writeNumberField("seconds", scenario.durationNs() / 1e9);
          json.writeStringField("cause", truth.cause());
          json.writeStringField("layer", truth.layer());
          json.writeNumberField("start_seconds", truth.startNs() / 1e9);
          optional(json, "scope", truth.scope());
          JsonText.texts(json, "follows", truth.follows());
          optional(json, "looks_like", truth.looksLike());
          optional(json, "twin_of", truth.twinOf());
          json.writeStringField("says", truth.says());
          json.writeEndObject();
        });
  }

  private static void optional(JsonGenerator json, String key, @Nullable String value)
      throws IOException {
    if (value == null) {
      json.writeNullField(key);
    } else {
      json.writeStringField(key, value);
    }
  }
}
