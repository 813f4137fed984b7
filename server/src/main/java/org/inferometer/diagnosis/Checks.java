package org.inferometer.diagnosis;

import java.util.List;
import org.inferometer.diagnosis.cause.AdapterChurn;
import org.inferometer.diagnosis.cause.Capacity;
import org.inferometer.diagnosis.cause.DecodeJitter;
import org.inferometer.diagnosis.cause.DecodeMemoryBound;
import org.inferometer.diagnosis.cause.DecodeSaturated;
import org.inferometer.diagnosis.cause.KvExhaustion;
import org.inferometer.diagnosis.cause.KvTransferBound;
import org.inferometer.diagnosis.cause.PrefillBound;
import org.inferometer.diagnosis.cause.PrefixCacheLoss;
import org.inferometer.diagnosis.cause.SpecDecodeLosing;
import org.inferometer.diagnosis.finding.Check;

/** All checks, in the order of the documentation. */
final class Checks {
  static final List<Check> ALL =
      List.of(
          new Capacity(),
          new KvExhaustion(),
          new PrefillBound(),
          new PrefixCacheLoss(),
          new DecodeMemoryBound(),
          new DecodeSaturated(),
          new DecodeJitter(),
          new SpecDecodeLosing(),
          new AdapterChurn(),
          new KvTransferBound());

  private Checks() {}
}
