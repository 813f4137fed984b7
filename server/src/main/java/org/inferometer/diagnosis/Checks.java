package org.inferometer.diagnosis;

import java.util.List;
import java.util.stream.Stream;
import org.inferometer.diagnosis.cause.AdapterChurn;
import org.inferometer.diagnosis.cause.Capacity;
import org.inferometer.diagnosis.cause.ClientArtifact;
import org.inferometer.diagnosis.cause.ColdStart;
import org.inferometer.diagnosis.cause.ConnectionSerialised;
import org.inferometer.diagnosis.cause.DecodeJitter;
import org.inferometer.diagnosis.cause.DecodeMemoryBound;
import org.inferometer.diagnosis.cause.DecodeSaturated;
import org.inferometer.diagnosis.cause.EngineStuck;
import org.inferometer.diagnosis.cause.FrontendCpu;
import org.inferometer.diagnosis.cause.GatewayBuffering;
import org.inferometer.diagnosis.cause.GatewayTimeout;
import org.inferometer.diagnosis.cause.GpuCpuSync;
import org.inferometer.diagnosis.cause.HardwareFault;
import org.inferometer.diagnosis.cause.Healthy;
import org.inferometer.diagnosis.cause.HostCpu;
import org.inferometer.diagnosis.cause.KvExhaustion;
import org.inferometer.diagnosis.cause.KvTransferBound;
import org.inferometer.diagnosis.cause.LengthTruncation;
import org.inferometer.diagnosis.cause.LoadImbalance;
import org.inferometer.diagnosis.cause.MemoryLeak;
import org.inferometer.diagnosis.cause.NoTraffic;
import org.inferometer.diagnosis.cause.OomConfig;
import org.inferometer.diagnosis.cause.OutputLength;
import org.inferometer.diagnosis.cause.PowerThrottle;
import org.inferometer.diagnosis.cause.PrefillBound;
import org.inferometer.diagnosis.cause.PrefixCacheLoss;
import org.inferometer.diagnosis.cause.SlowReplica;
import org.inferometer.diagnosis.cause.SpecDecodeLosing;
import org.inferometer.diagnosis.cause.TelemetryBroken;
import org.inferometer.diagnosis.cause.ThermalThrottle;
import org.inferometer.diagnosis.cause.TpStraggler;
import org.inferometer.diagnosis.finding.Check;

/** All checks. */
final class Checks {
  /** In the engine. */
  private static final List<Check> ENGINE =
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

  /** In GPUs, hosts and single replicas. */
  private static final List<Check> HARDWARE =
      List.of(
          new PowerThrottle(),
          new ThermalThrottle(),
          new HardwareFault(),
          new TpStraggler(),
          new SlowReplica(),
          new LoadImbalance(),
          new HostCpu(),
          new GpuCpuSync(),
          new FrontendCpu(),
          new MemoryLeak(),
          new OomConfig());

  /** Before the engine, in what is asked of it, and states. */
  private static final List<Check> OUTSIDE =
      List.of(
          new GatewayTimeout(),
          new GatewayBuffering(),
          new ClientArtifact(),
          new ConnectionSerialised(),
          new OutputLength(),
          new LengthTruncation(),
          new ColdStart(),
          new EngineStuck(),
          new NoTraffic(),
          new TelemetryBroken(),
          new Healthy());

  static final List<Check> ALL =
      Stream.of(ENGINE, HARDWARE, OUTSIDE).flatMap(List::stream).toList();

  private Checks() {}
}
