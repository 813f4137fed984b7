package org.inferometer.diagnosis;

import java.util.List;
import org.inferometer.diagnosis.cause.FrontendCpu;
import org.inferometer.diagnosis.cause.GpuCpuSync;
import org.inferometer.diagnosis.cause.HardwareFault;
import org.inferometer.diagnosis.cause.HostCpu;
import org.inferometer.diagnosis.cause.KvExhaustion;
import org.inferometer.diagnosis.cause.LoadImbalance;
import org.inferometer.diagnosis.cause.MemoryLeak;
import org.inferometer.diagnosis.cause.OomConfig;
import org.inferometer.diagnosis.cause.PowerThrottle;
import org.inferometer.diagnosis.cause.SlowReplica;
import org.inferometer.diagnosis.cause.ThermalThrottle;
import org.inferometer.diagnosis.cause.TpStraggler;
import org.inferometer.diagnosis.finding.Check;

/** All checks, in the order of the documentation. */
final class Checks {
  static final List<Check> ALL =
      List.of(
          new KvExhaustion(),
          new PowerThrottle(),
          new ThermalThrottle(),
          new HardwareFault(),
          new TpStraggler(),
          new SlowReplica(),
          new LoadImbalance(), new HostCpu(), new GpuCpuSync(), new FrontendCpu(), new MemoryLeak(), new OomConfig());

  private Checks() {}
}
