package org.inferometer.diagnosis.world;

import java.util.List;
import org.inferometer.diagnosis.world.Symptom.Kind;
import org.jspecify.annotations.Nullable;

/**
 * What is looked at for a kind of symptom.
 *
 * @param quantile the signal whose value is held against limits
 * @param mean the signal that must agree, or null if a tail may rise alone
 * @param rise the threshold for the least rise that is felt
 * @param least the threshold below which nobody feels it, or null
 * @param absolute the threshold for a common limit, or null
 */
record LatencyKind(
    Kind kind,
    String quantile,
    @Nullable String mean,
    String rise,
    @Nullable String least,
    @Nullable String absolute) {
  private LatencyKind(
      Kind kind, String quantile, String mean, String rise, @Nullable String absolute) {
    this(kind, quantile, mean, rise, null, absolute);
  }

  static final List<LatencyKind> ALL =
      List.of(
          new LatencyKind(
              Kind.TTFT,
              "ttft_p95",
              "ttft_mean",
              "symptom_ttft_rise",
              "symptom_ttft_least",
              "symptom_ttft_seconds"),
          new LatencyKind(
              Kind.TPOT, "tpot_p95", "tpot_mean", "symptom_tpot_rise", "symptom_tpot_seconds"),
          new LatencyKind(
              Kind.ITL_TAIL, "itl_p99", null, "symptom_tpot_rise", "symptom_gap_seconds", null),
          new LatencyKind(Kind.E2E, "e2e_p95", "e2e_mean", "symptom_e2e_rise", null));

  /** Engines that know no pace of a request know that of their outputs, or something near. */
  static final List<LatencyKind> PACES =
      List.of(
          new LatencyKind(
              Kind.TPOT, "ntpot_p95", "ntpot_mean", "symptom_tpot_rise", "symptom_tpot_seconds"),
          new LatencyKind(
              Kind.TPOT, "itl_p95", "itl_mean", "symptom_tpot_rise", "symptom_tpot_seconds"));
}
