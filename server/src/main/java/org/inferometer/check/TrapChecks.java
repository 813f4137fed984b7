package org.inferometer.check;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.inferometer.query.QueryException;
import org.inferometer.query.QueryValue;
import org.inferometer.signals.Catalogue;
import org.inferometer.signals.DialectProfile;
import org.inferometer.signals.Phrases;
import org.inferometer.signals.Trap;
import org.jspecify.annotations.Nullable;

/** Looks for the traps that the signal files know, by their queries. */
final class TrapChecks {
  private static final Pattern LABEL = Pattern.compile("\\{label:([a-zA-Z_][a-zA-Z0-9_]*)}");

  private final Catalogue catalogue;
  private final World world;

  TrapChecks(Catalogue catalogue, World world) {
    this.catalogue = catalogue;
    this.world = world;
  }

  /** Those of any page and those of what this one is, each once. */
  List<Finding> findings(List<Part> parts) {
    List<Trap> traps = new ArrayList<>(catalogue.traps());
    Set<String> dialects = new HashSet<>();
    for (Part part : parts) {
      DialectProfile profile = catalogue.profile(part.engine().id());
      if (profile != null && dialects.add(profile.id())) {
        traps.addAll(profile.traps());
      }
    }
    List<Finding> findings = new ArrayList<>();
    Set<String> seen = new HashSet<>();
    for (Trap trap : traps) {
      Finding finding = finding(trap);
      if (finding != null && seen.add(finding.id())) {
        findings.add(finding);
      }
    }
    return findings;
  }

  private @Nullable Finding finding(Trap trap) {
    try {
      List<QueryValue.Element> found =
          world.ask(trap.query(world.job(), world.instance(), world.windowMs()));
      return found.isEmpty() ? null : finding(trap, found);
    } catch (QueryException e) {
      return new Finding(
          trap.id(),
          Weight.NOTE,
          "Whether this holds couldn't be told (" + e.getMessage() + "): " + trap.says(),
          null,
          trap.source());
    }
  }

  private static Finding finding(Trap trap, List<QueryValue.Element> found) {
    String says = filled(trap.says(), found.getFirst());
    String fix = trap.fix();
    String others = found.size() == 1 ? "" : " (" + found.size() + " series in all)";
    return new Finding(
        trap.id(),
        weight(trap),
        says + (says.equals(trap.says()) ? "" : others),
        fix == null ? null : filled(fix, found.getFirst()),
        trap.source());
  }

  /** What can't be seen and can't be helped is nothing to do. */
  private static Weight weight(Trap trap) {
    return switch (trap.weight()) {
      case WRONG -> Weight.WRONG;
      case BLIND -> trap.fix() == null ? Weight.NOTE : Weight.BLIND;
      case NOTE -> Weight.NOTE;
    };
  }

  private static String filled(String text, QueryValue.Element element) {
    String valued = text.replace("{value}", Phrases.number(element.value()));
    return LABEL
        .matcher(valued)
        .replaceAll(
            (MatchResult match) ->
                java.util.regex.Matcher.quoteReplacement(
                    PageChecks.shortened(element.labels().get(match.group(1)))));
  }
}
