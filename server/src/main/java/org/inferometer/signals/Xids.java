package org.inferometer.signals;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What the codes of NVIDIA's driver mean, as the list that comes with the program has it. */
public final class Xids {
  private Xids() {}

  /** Read once, when it is asked for. */
  private static final class BuiltIn {
    static final GpuReference REFERENCE = GpuReference.builtIn(Catalogue.builtIn().vocabulary());
  }

  /** What a code means, listed or not. */
  public static Gpu.LastXid of(int code, @Nullable Long sinceMs) {
    Xid xid = BuiltIn.REFERENCE.xid(code);
    return new Gpu.LastXid(
        code, xid.means(), xid.action(), xid.severity().name().toLowerCase(Locale.ROOT), sinceMs);
  }
}
