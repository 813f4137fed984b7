package org.inferometer.diagnosis;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.inferometer.diagnosis.finding.Finding;
import org.inferometer.diagnosis.finding.Scope;
import org.inferometer.diagnosis.world.ReplicaWorld;
import org.inferometer.diagnosis.world.ServiceWorld;
import org.inferometer.diagnosis.world.Symptom;
import org.inferometer.signals.Phrases;
import org.jspecify.annotations.Nullable;

/** Says in one sentence what users feel of a service, since when, and why. */
final class Sentence {
  /** Followers that are named; the rest is in the verdicts. */
  private static final int NAMED_MAX = 2;

  private static final int RULED_OUT_MAX = 3;
  private static final DateTimeFormatter CLOCK =
      DateTimeFormatter.ofPattern("HH:mm", Locale.ROOT).withZone(ZoneOffset.UTC);

  private final Causes causes;
  private final ServiceWorld service;

  Sentence(Causes causes, ServiceWorld service) {
    this.causes = causes;
    this.service = service;
  }

  private String name() {
    String name = service.service().name();
    String model = service.service().model();
    return model == null ? name : model.substring(model.lastIndexOf('/') + 1);
  }

  /** What it comes to with these verdicts, the root first; at least one. */
  String of(List<Verdict> verdicts) {
    Verdict root = verdicts.getFirst();
    String why = causes.get(root.cause()).because() + place(root, verdicts) + rest(verdicts);
    Symptom worst = service.symptoms().all().stream().findFirst().orElse(null);
    String since = since(root.finding());
    if (worst == null || !isFelt(root)) {
      return name() + ": " + why + since + ".";
    }
    return name() + ": " + symptom(worst) + since + ", because " + why + ".";
  }

  private boolean isFelt(Verdict verdict) {
    Set<Symptom.Kind> felt = causes.get(verdict.cause()).felt();
    return !felt.isEmpty();
  }

  private static String since(Finding finding) {
    Long onset = finding.onsetMs();
    return onset == null ? "" : " since " + CLOCK.format(Instant.ofEpochMilli(onset)) + " (UTC)";
  }

  /** " on 2 of 3 replicas", " at node-1/gpu3", or nothing if it is everywhere. */
  private String place(Verdict root, List<Verdict> verdicts) {
    Set<String> places = new LinkedHashSet<>();
    for (Verdict verdict : verdicts) {
      Scope scope = verdict.finding().scope();
      String place = scope.gpu() == null ? scope.instance() : scope.gpu();
      if (verdict.cause().equals(root.cause()) && place != null) {
        places.add(place);
      }
    }
    if (places.isEmpty()) {
      return "";
    }
    if (places.size() == 1) {
      return " (" + people(places.iterator().next()) + ")";
    }
    boolean areReplicas =
        places.stream()
            .allMatch(p -> service.replicas().stream().anyMatch(r -> r.instance().equals(p)));
    return areReplicas
        ? " on " + places.size() + " of " + service.replicas().size() + " replicas"
        : " (" + String.join(", ", places) + ")";
  }

  /** A replica by its pod's name, where it has one. */
  private String people(String place) {
    for (ReplicaWorld replica : service.replicas()) {
      String name = replica.name();
      if (replica.instance().equals(place) && name != null) {
        return name;
      }
    }
    return place;
  }

  /** What follows from the root, and what is beside it. */
  private String rest(List<Verdict> verdicts) {
    String root = verdicts.getFirst().cause();
    Set<String> following = new LinkedHashSet<>();
    Set<String> beside = new LinkedHashSet<>();
    for (Verdict verdict : verdicts) {
      if (!verdict.cause().equals(root)) {
        Set<String> all = verdict.follows() == null ? beside : following;
        all.add(causes.get(verdict.cause()).because());
      }
    }
    beside.removeAll(following);
    return joined("; so ", following) + joined("; besides, ", beside);
  }

  private static String joined(String before, Set<String> clauses) {
    return clauses.isEmpty()
        ? ""
        : before + String.join(" and ", clauses.stream().limit(NAMED_MAX).toList());
  }

  /** "first token P95 is 6.1 s, 5 times its goal". */
  static String symptom(Symptom symptom) {
    String value =
        (symptom.reading().isBeyondLastBucket() ? "over " : "")
            + Phrases.value(
                symptom.reading().unit(),
                symptom.reading().isBeyondLastBucket()
                    ? symptom.reading().low()
                    : symptom.reading().value());
    if (symptom.kind() == Symptom.Kind.FAILURES) {
      return value + " of requests fail" + seen(symptom);
    }
    return what(symptom) + seen(symptom) + " is " + value + against(symptom);
  }

  private static String seen(Symptom symptom) {
    return symptom.edge() == null ? "" : " as " + symptom.edge() + " sees it";
  }

  private static String what(Symptom symptom) {
    String signal = symptom.reading().signal();
    int mark = signal.lastIndexOf("_p");
    String quantile =
        mark < 0 ? " on average" : " " + signal.substring(mark + 1).toUpperCase(Locale.ROOT);
    return switch (symptom.kind()) {
      case TTFT -> "first token" + quantile;
      case TPOT -> "time per token" + quantile;
      case ITL_TAIL -> "gap between tokens" + quantile;
      case E2E -> "total time" + quantile;
      case FAILURES -> "failures";
      case TRAFFIC -> "the rate of requests";
    };
  }

  private static String against(Symptom symptom) {
    Double goal = symptom.reading().goal();
    double value = symptom.reading().value();
    if (goal != null) {
      return ", " + Phrases.number(value / goal) + " times its goal";
    }
    double before = symptom.reading().baseline();
    boolean isOther = value > before || symptom.kind() == Symptom.Kind.TRAFFIC;
    return before > 0 && isOther
        ? ", was " + Phrases.value(symptom.reading().unit(), before)
        : ", above " + symptom.because();
  }

  /**
   * What is said when users feel something and nothing surely explains it.
   *
   * @param likeliest what does so best, null if nothing does
   */
  String untold(List<RuledOut> ruledOut, @Nullable Finding likeliest) {
    List<Symptom> symptoms = service.symptoms().all();
    String felt =
        symptoms.isEmpty() ? "nothing is known of requests" : symptom(symptoms.getFirst());
    return name()
        + ": "
        + felt
        + "; the cause can't be told"
        + likely(likeliest)
        + out(ruledOut)
        + missing(ruledOut, likeliest)
        + ".";
  }

  private static String likely(@Nullable Finding likeliest) {
    return likeliest == null
        ? ""
        : "; likeliest, by %.0f %%: %s"
            .formatted(likeliest.confidence() * 100, likeliest.says().replaceFirst("\\.$", ""));
  }

  private String out(List<RuledOut> ruledOut) {
    Set<String> titles = new LinkedHashSet<>();
    for (RuledOut one : ruledOut) {
      if (!one.isUnknown() && !one.cause().equals("healthy")) {
        titles.add(title(one));
      }
    }
    String more = titles.size() > RULED_OUT_MAX ? " and others" : "";
    return titles.isEmpty()
        ? ""
        : "; it isn't " + String.join(", ", titles.stream().limit(RULED_OUT_MAX).toList()) + more;
  }

  /** A cause as it is called within a sentence. */
  private String title(RuledOut one) {
    return '"' + causes.get(one.cause()).title() + '"';
  }

  private String missing(List<RuledOut> ruledOut, @Nullable Finding likeliest) {
    Set<String> unknown = new LinkedHashSet<>();
    for (RuledOut one : ruledOut) {
      boolean isNamed = likeliest != null && likeliest.cause().equals(one.cause());
      if (one.isUnknown() && !isNamed) {
        unknown.add(title(one));
      }
    }
    return unknown.isEmpty()
        ? ""
        : "; "
            + String.join(", ", unknown.stream().limit(RULED_OUT_MAX).toList())
            + (unknown.size() > RULED_OUT_MAX ? " and others" : "")
            + " can't be told from what is measured";
  }

  /** What is said when none of its replicas answers. */
  String down() {
    return name() + ": no replica answers.";
  }

  /** What is said when all is well. */
  String healthy(@Nullable Finding healthy) {
    String says =
        healthy == null ? "users feel nothing unusual and no fault is seen." : healthy.says();
    return name() + ": " + says;
  }
}
