package org.inferometer.diagnosis;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.inferometer.diagnosis.finding.Action;
import org.inferometer.diagnosis.finding.Finding;
import org.inferometer.diagnosis.finding.Scope;
import org.inferometer.diagnosis.world.Reading;
import org.inferometer.diagnosis.world.ServiceWorld;
import org.jspecify.annotations.Nullable;

/**
 * Says what to do about a finding, in the words of the engine at hand: its flag, today's value
 * where it is told, a value that follows from what was measured, and the query that shows whether
 * it worked.
 */
final class Advisor {
  private final Advice advice;
  private final Flags flags;
  private final ServiceWorld service;

  Advisor(Advice advice, Flags flags, ServiceWorld service) {
    this.advice = advice;
    this.flags = flags;
    this.service = service;
  }

  /** The best first. */
  List<Action> next(Finding finding) {
    List<Action> actions = new ArrayList<>();
    for (Advice.Item item : advice.of(finding.cause())) {
      Action action = action(item, finding);
      if (action != null) {
        actions.add(action);
      }
    }
    return actions;
  }

  /** An action in the engine's words; null if the engine has no such flag. */
  private @Nullable Action action(Advice.Item item, Finding finding) {
    String id = item.flag();
    Flags.OfEngine flag = id == null ? null : flags.get(id).of(service.service().engine().id());
    if (id != null && flag == null) {
      return null;
    }
    return new Action(
        filled(item.action(), item, flag, finding),
        item.why(),
        item.expect(),
        item.risk(),
        confirm(item, flag, finding));
  }

  private String filled(
      String text, Advice.Item item, Flags.@Nullable OfEngine flag, Finding finding) {
    return text.replace("{flag}", flag == null ? "" : flag.flag())
        .replace("{proposed}", proposed(item))
        .replace("(today {today})", "(" + today(flag) + ")")
        .replace("{where}", where(finding))
        .replace("{model}", Objects.requireNonNullElse(service.service().model(), "MODEL"));
  }

  private String proposed(Advice.Item item) {
    String name = item.propose();
    var proposal = name == null ? null : Proposals.ALL.get(name);
    String computed = proposal == null ? "" : proposal.apply(service);
    return computed.isEmpty() ? Objects.requireNonNullElse(item.value(), "") : computed;
  }

  private String today(Flags.@Nullable OfEngine flag) {
    if (flag == null) {
      return "today " + service.replicas().size();
    }
    String setting = flag.setting();
    String today = setting == null ? null : Settings.today(service, setting);
    if (today != null) {
      return "today " + today;
    }
    return "today's value isn't told"
        + (flag.byDefault() == null ? "" : "; by default " + flag.byDefault());
  }

  private String where(Finding finding) {
    Scope scope = finding.scope();
    if (scope.gpu() != null) {
      return scope.gpu();
    }
    if (scope.instance() != null) {
      return scope.instance();
    }
    return service.replicas().size() == 1
        ? service.replicas().getFirst().instance()
        : service.service().name();
  }

  private String confirm(Advice.Item item, Flags.@Nullable OfEngine flag, Finding finding) {
    String signal = item.confirm();
    String shows = Objects.requireNonNullElse(item.shows(), "");
    Reading reading = signal == null ? null : service.get(signal);
    if (reading != null && reading.query() != null) {
      return reading.query() + " " + shows;
    }
    String run = item.run();
    return run == null ? String.valueOf(signal) + " " + shows : filled(run, item, flag, finding);
  }
}
