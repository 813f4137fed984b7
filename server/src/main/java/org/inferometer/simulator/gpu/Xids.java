package org.inferometer.simulator.gpu;

import java.util.Map;

/** What dcgm-exporter says of Xids, and what they do to a GPU. */
final class Xids {
  static final int NONE = 0;
  static final int BUS_LOST = 79;
  static final int ROW_REMAPPED = 63;
  static final int REMAP_FAILED = 64;

  /** In the exporter's words (its xid_errors.go), of those that servers of models meet. */
  private static final Map<Integer, String> TEXTS =
      Map.ofEntries(
          Map.entry(NONE, "No Error"),
          Map.entry(13, "Graphics Engine Exception"),
          Map.entry(31, "GPU memory page fault"),
          Map.entry(43, "GPU stopped processing"),
          Map.entry(48, "Double Bit ECC Error"),
          Map.entry(62, "Internal micro-controller halt"),
          Map.entry(ROW_REMAPPED, "ECC page retirement or row remapping recording event"),
          Map.entry(REMAP_FAILED, "ECC page retirement or row remapper recording failure"),
          Map.entry(74, "NVLINK Error"),
          Map.entry(BUS_LOST, "GPU has fallen off the bus"),
          Map.entry(92, "High single-bit ECC error rate"),
          Map.entry(94, "Contained ECC error"),
          Map.entry(95, "Uncontained ECC error"),
          Map.entry(109, "Context Switch Timeout Error"),
          Map.entry(119, "GSP RPC Timeout"),
          Map.entry(120, "GSP Error"),
          Map.entry(140, "Unrecovered ECC Error"),
          Map.entry(154, "GPU Recovery Action Changed"));

  private Xids() {}

  static String text(int code) {
    return TEXTS.getOrDefault(code, "Unknown Error");
  }

  /** Whether nothing that runs there ends, until a reset (NVIDIA's catalogue of Xids). */
  static boolean stops(int code) {
    return switch (code) {
      case 48, 62, BUS_LOST, 95, 109, 119, 120 -> true;
      default -> false;
    };
  }

  static boolean isUncorrected(int code) {
    return code == 48 || code == 94 || code == 95;
  }

  static boolean isOfNvlink(int code) {
    return code == 74 || (code >= 144 && code <= 150);
  }
}
