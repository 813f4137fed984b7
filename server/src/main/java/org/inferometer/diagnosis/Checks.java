package org.inferometer.diagnosis;

import java.util.List;
import org.inferometer.diagnosis.cause.AdapterChurn;
import org.inferometer.diagnosis.cause.Capacity;
import org.inferometer.diagnosis.cause.ClientArtifact;
import org.inferometer.diagnosis.cause.ColdStart;
import org.inferometer.diagnosis.cause.ConnectionSerialised;
import org.inferometer.diagnosis.cause.DecodeJitter;
import org.inferometer.diagnosis.cause.DecodeMemoryBound;
import org.inferometer.diagnosis.cause.DecodeSaturated;
import org.inferometer.diagnosis.cause.EngineStuck;
import org.inferometer.diagnosis.cause.GatewayBuffering;
import org.inferometer.diagnosis.cause.GatewayTimeout;
import org.inferometer.diagnosis.cause.KvExhaustion;
import org.inferometer.diagnosis.cause.KvTransferBound;
import org.inferometer.diagnosis.cause.LengthTruncation;
import org.inferometer.diagnosis.cause.NoTraffic;
import org.inferometer.diagnosis.cause.OutputLength;
import org.inferometer.diagnosis.cause.PrefillBound;
import org.inferometer.diagnosis.cause.PrefixCacheLoss;
import org.inferometer.diagnosis.cause.SpecDecodeLosing;
import org.inferometer.diagnosis.cause.TelemetryBroken;
import org.inferometer.diagnosis.finding.Check;

/** All checks, in the order of the documentation. */
final class Checks {
  static final List<Check> ALL =
      List.of(
          // engine
          new Capacity(),
          new KvExhaustion(),
          new PrefillBound(),
          new PrefixCacheLoss(),
          new DecodeMemoryBound(),
          new DecodeSaturated(),
          new DecodeJitter(),
          new SpecDecodeLosing(),
          new AdapterChurn(),
          new KvTransferBound(),
          // outside: before the engine, the workload, states
          new GatewayTimeout(),
          new GatewayBuffering(),
          new ClientArtifact(),
          new ConnectionSerialised(),
          new OutputLength(),
          new LengthTruncation(),
          new ColdStart(),
          new EngineStuck(),
          new NoTraffic(),
          new TelemetryBroken());

  private Checks() {}
}
