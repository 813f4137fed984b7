package org.inferometer.lint;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.inferometer.lint.LintQuery.Kind;
import org.inferometer.lint.Meaning.Form;
import org.inferometer.promql.Expr;
import org.inferometer.signals.Families.Match;
import org.inferometer.signals.Families.Part;
import org.jspecify.annotations.Nullable;

/** Titles that promise another quantity than the query gives. */
final class TitleRule implements ExprRules.ExprRule {
  private static final Pattern QUANTILE =
      Pattern.compile(
          "(?<![A-Za-z0-9_]|\\$)[Pp](50|75|90|95|99(?:\\.9{1,2}|9)?)(?![0-9])"
              + "|[a-z]P(50|75|90|95|99)(?![0-9])"
              + "|[A-Z]P(90|95|99)(?![0-9])"
              + "|\\b(50|75|90|95|99(?:\\.9)?)(?:th|st)? ?(?:%-ile|percentile|pctl)");

  private static final Pattern TPOT =
      Pattern.compile("TPOT|(?i:time[ -]per[ -](?:output[ -])?token)");

  private static final Pattern ITL =
      Pattern.compile("\\bITL\\b|ITL(?=[A-Z][a-z]|P[0-9])|(?i:inter[- ]?token)");

  /** Words of a quantity of each request. */
  private static final Pattern EACH =
      Pattern.compile(
          "(?i:\\b(latency|time|duration|average|avg|mean|max|maximum|length|size|delay)\\b"
              + "|per request)");

  private static final Pattern THROUGHPUT =
      Pattern.compile("(?i:throughput|tok(?:en)?s? ?/ ?s\\b|tokens per second)");

  /** Words of a quantity of all requests. */
  private static final Pattern ALL =
      Pattern.compile("(?i:throughput|per second|/ ?s(ec)?\\b|\\brate\\b|total|\\bsum\\b)");

  @Override
  public void check(Scene scene) {
    if (!scene.query().usesValues() || scene.query().texts().isEmpty()) {
      return;
    }
    scene.nodes(Expr.Call.class).forEach(call -> quantile(scene, call));
    tokenTimes(scene);
    undivided(scene, scene.root());
    throughput(scene);
  }

  private static void quantile(Scene scene, Expr.Call call) {
    if (!call.function().name().equals("histogram_quantile")) {
      return;
    }
    Double quantile = Scene.number(call.arguments().getFirst());
    Set<String> named = named(scene.query());
    if (quantile == null || named.isEmpty() || quantile < 0 || quantile > 1) {
      return;
    }
    String is = UnitRule.plain(Math.round(quantile * 1e5) / 1e3);
    if (!named.contains(is)) {
      scene.report(
          LintRule.TITLE_MISMATCH,
          Severity.WARNING,
          call.span(),
          "%s, but the query takes quantile %s"
              .formatted(promise(named), UnitRule.plain(quantile)));
    }
  }

  private static String promise(Set<String> named) {
    return "the text says P" + String.join(", P", named);
  }

  /** The quantiles that the nearest text names: a legend before a title. */
  private static Set<String> named(LintQuery query) {
    Set<String> all = new TreeSet<>();
    if (query.kind() == Kind.PANEL) {
      for (String text : query.texts().reversed()) {
        if (all.isEmpty()) {
          all.addAll(named(text));
        }
      }
    } else {
      query.texts().forEach(text -> all.addAll(named(text)));
    }
    return all;
  }

  private static Set<String> named(String text) {
    Set<String> found = new TreeSet<>();
    Matcher matcher = QUANTILE.matcher(text);
    while (matcher.find()) {
      for (int group = 1; group <= matcher.groupCount(); group++) {
        String number = matcher.group(group);
        if (number != null) {
          found.add(number.equals("999") ? "99.9" : number);
        }
      }
    }
    return found;
  }

  private static void tokenTimes(Scene scene) {
    String title = scene.query().texts().getFirst();
    boolean tpot = TPOT.matcher(title).find();
    boolean itl = ITL.matcher(title).find();
    if (tpot == itl) {
      return;
    }
    Facts facts = scene.world().facts();
    Expr.VectorSelector other = null;
    for (Expr.VectorSelector selector : scene.nodes(Expr.VectorSelector.class)) {
      String family = family(scene, selector);
      if (tpot ? facts.isTimePerOutputToken(family) : facts.isInterTokenLatency(family)) {
        return;
      }
      if (tpot ? facts.isInterTokenLatency(family) : facts.isTimePerOutputToken(family)) {
        other = selector;
      }
    }
    if (other != null) {
      scene.report(
          LintRule.TITLE_MISMATCH,
          Severity.WARNING,
          other.span(),
          tpot
              ? "the title promises the time per output token of a request (TPOT); "
                  + family(scene, other)
                  + " measures each gap between outputs (ITL)"
              : "the title promises each gap between outputs (ITL); "
                  + family(scene, other)
                  + " is one mean for each request (TPOT)");
    }
  }

  private static String family(Scene scene, Expr.VectorSelector selector) {
    List<Match> matches = scene.matches(selector);
    return matches.isEmpty() ? "" : matches.getFirst().family().name();
  }

  /** A sum over all requests where something of each request is promised. */
  private static void undivided(Scene scene, Expr expr) {
    Meaning meaning = scene.meaning(expr);
    Match match = meaning.match();
    String title = scene.query().texts().getFirst();
    if (match == null
        || match.part() != Part.SUM
        || (meaning.form() != Form.RATE && meaning.form() != Form.INCREASE)
        || !EACH.matcher(words(title)).find()
        || ALL.matcher(title).find()) {
      return;
    }
    String shows = shown(meaning);
    scene.report(
        LintRule.TITLE_MISMATCH,
        Severity.WARNING,
        expr.span(),
        "the title promises a quantity of each request, but this is %s; divide by the rate of %s"
            .formatted(shows, match.family().name() + "_count"));
  }

  /** A mean of each request where an amount for each second is promised. */
  private static void throughput(Scene scene) {
    Meaning meaning = scene.meaning(scene.root());
    Match match = meaning.match();
    if (match != null
        && meaning.form() == Form.MEAN
        && !meaning.quantity().is(Quantity.TIME)
        && THROUGHPUT.matcher(scene.query().texts().getFirst()).find()) {
      scene.report(
          LintRule.TITLE_MISMATCH,
          Severity.WARNING,
          scene.root().span(),
          "the title promises an amount for each second, but this is the mean %s of a request; the"
                  .formatted(match.family().unit())
              + " rate of "
              + match.family().name()
              + "_sum alone is the throughput");
    }
  }

  private static String shown(Meaning meaning) {
    @Nullable Match match = meaning.match();
    String unit = match == null ? "" : match.family().unit();
    return meaning.quantity().is(Quantity.TIME) && meaning.quantity().perSecond()
        ? unit + " of all requests for each second, that is, how many requests are in it"
        : unit + " of all requests together";
  }

  /** Takes names such as HighQueueTime apart. */
  private static String words(String title) {
    return title.replaceAll("(?<=[a-z])(?=[A-Z])", " ").replace('_', ' ');
  }
}
