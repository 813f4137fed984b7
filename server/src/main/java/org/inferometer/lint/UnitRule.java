package org.inferometer.lint;

import java.util.Set;
import org.inferometer.lint.Meaning.Form;
import org.inferometer.promql.BinaryOp;
import org.inferometer.promql.Expr;
import org.inferometer.promql.Span;
import org.inferometer.signals.Families.Match;
import org.jspecify.annotations.Nullable;

/** Thresholds and panel units that don't fit the unit of the metric. */
final class UnitRule implements ExprRules.ExprRule {
  /** Ratios above this are none: someone thinks in percent. */
  private static final double RATIO_MAX = 1.5;

  /** Latencies above this are hardly a goal: someone thinks in milliseconds. */
  private static final double SECONDS_MAX = 600;

  /** Latencies of requests below this are hardly a goal, in seconds. */
  private static final double SECONDS_MIN = 0.0005;

  /** Bytes that a count of mebibytes or gigabytes never reaches: an exabyte. */
  private static final double BYTES_MAX = 1e15;

  /** Shares of time below this can't be meant. */
  private static final double SHARE_MIN = 1e-4;

  private static final Set<BinaryOp> ORDER =
      Set.of(BinaryOp.GREATER, BinaryOp.GREATER_OR_EQUAL, BinaryOp.LESS, BinaryOp.LESS_OR_EQUAL);

  @Override
  public void check(Scene scene) {
    if (!scene.query().usesValues()) {
      return;
    }
    for (Expr.Binary binary : scene.nodes(Expr.Binary.class)) {
      if (ORDER.contains(binary.op())) {
        side(scene, binary.left(), binary.right());
        side(scene, binary.right(), binary.left());
      }
    }
    Double threshold = scene.query().threshold();
    if (threshold != null) {
      compare(scene, scene.root().span(), scene.meaning(scene.root()), threshold);
    }
    panel(scene);
  }

  private static void side(Scene scene, Expr value, Expr limit) {
    Double number = Scene.number(limit);
    if (number != null) {
      compare(scene, limit.span(), scene.meaning(value), number);
    }
  }

  private static void compare(Scene scene, Span span, Meaning meaning, double number) {
    String problem = number > 0 ? problem(scene, meaning, number) : null;
    if (problem != null) {
      scene.report(LintRule.UNIT_SCALE, Severity.WARNING, span, problem);
    }
  }

  private static @Nullable String problem(Scene scene, Meaning meaning, double number) {
    Quantity quantity = meaning.quantity();
    Match match = meaning.match();
    if (quantity.is(Quantity.RATIO) && !quantity.perSecond() && !meaning.summed()) {
      return ratio(meaning, number);
    }
    if (quantity.is(Quantity.TIME) && match != null) {
      return quantity.perSecond() ? share(scene, meaning, match, number) : time(meaning, number);
    }
    if (quantity.is(Quantity.BYTES)
        && match != null
        && quantity.factor() > 1000
        && quantity.base(number) > BYTES_MAX) {
      return "%s counts %s: %s of them is more than there is"
          .formatted(match.family().name(), match.family().unit(), plain(number));
    }
    return null;
  }

  private static @Nullable String ratio(Meaning meaning, double number) {
    Quantity quantity = meaning.quantity();
    String what = meaning.match() == null ? "the quotient" : meaning.match().family().name();
    boolean plainRatio = Math.abs(quantity.factor() - 1) < 1e-9;
    if (plainRatio && number > RATIO_MAX) {
      return "%s runs from 0 to 1: %s is never reached%s"
          .formatted(what, plain(number), number <= 100 ? ", write " + plain(number / 100) : "");
    }
    boolean percent = Math.abs(quantity.factor() - 0.01) < 1e-9;
    if (percent && meaning.match() != null && !meaning.scaled() && number < 1) {
      return "%s runs from 0 to 100: %s means %s %%".formatted(what, plain(number), plain(number));
    }
    if (percent && number > 100 * RATIO_MAX) {
      return "%s runs from 0 to 100 here: %s is never reached".formatted(what, plain(number));
    }
    return null;
  }

  private static @Nullable String time(Meaning meaning, double number) {
    if (meaning.form() != Form.QUANTILE && meaning.form() != Form.MEAN) {
      return null;
    }
    double seconds = meaning.quantity().base(number);
    String name = String.valueOf(meaning.match() == null ? "" : meaning.match().family().name());
    String unit = unit(meaning.quantity());
    if (seconds > SECONDS_MAX) {
      return "%s is in %s here: %s is %s".formatted(name, unit, plain(number), words(seconds));
    }
    if (seconds < SECONDS_MIN) {
      return "%s is in %s here: %s is %s".formatted(name, unit, plain(number), words(seconds));
    }
    return null;
  }

  private static String unit(Quantity quantity) {
    double factor = quantity.factor();
    return factor == 1
        ? "seconds"
        : Math.abs(factor - 1e-3) < 1e-9
            ? "milliseconds"
            : Math.abs(factor - 1e-6) < 1e-12
                ? "microseconds"
                : Math.abs(factor - 1e-9) < 1e-15 ? "nanoseconds" : "units of " + factor + " s";
  }

  private static String words(double seconds) {
    return seconds >= 60
        ? plain(Math.round(seconds / 6) / 10.0) + " minutes"
        : plain(Math.round(seconds * 1e9) / 1e3) + " microseconds";
  }

  /** Time of something for each second: a share of the time. */
  private static @Nullable String share(Scene scene, Meaning meaning, Match match, double number) {
    double share = meaning.quantity().base(number);
    if (meaning.quantity().factor() >= 1 || share >= SHARE_MIN) {
      return null;
    }
    String often =
        scene.world().facts().isNanoseconds(match.family().name())
            ? " (nanoseconds, not microseconds)"
            : "";
    return "%s counts %s%s: %s of them for each second is %s %% of the time; divide by 1e9 to"
            .formatted(
                match.family().name(),
                match.family().unit(),
                often,
                plain(number),
                small(share * 100))
            .replace("1e9", plainFactor(meaning.quantity().factor()))
        + " compare shares";
  }

  private static String plainFactor(double factor) {
    return factor < 1e-8 ? "1e9" : factor < 1e-5 ? "1e6" : "1e3";
  }

  private static String small(double percent) {
    return "%.2g".formatted(percent);
  }

  /** The unit that a panel shows against that of what it shows. */
  private static void panel(Scene scene) {
    Quantity shown = Quantity.ofPanel(scene.query().unit());
    Meaning meaning = scene.meaning(scene.root());
    Quantity is = meaning.quantity();
    if (shown == null
        || is.dimension().isEmpty()
        || is.perSecond()
        || meaning.form() == Form.OTHER
        || !is.is(shown.dimension())) {
      return;
    }
    double off = is.factor() / shown.factor();
    if (off > 1.1 || off < 0.9) {
      scene.report(
          LintRule.UNIT_SCALE,
          Severity.WARNING,
          scene.root().span(),
          "the panel's unit \"%s\" shows this %s times too %s"
              .formatted(
                  scene.query().unit(),
                  String.valueOf(Math.round(Math.max(off, 1 / off))),
                  off > 1 ? "small" : "large"));
    }
  }

  static String plain(double number) {
    return number == Math.rint(number) && Math.abs(number) < 1e15
        ? String.valueOf((long) number)
        : String.valueOf(number);
  }
}
