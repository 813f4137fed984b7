package org.inferometer.simulator.host;

import java.util.ArrayList;
import java.util.List;
import org.inferometer.simulator.event.Agenda;
import org.inferometer.simulator.knob.Knob;
import org.inferometer.simulator.knob.Knobs;
import org.inferometer.simulator.knob.Part;
import org.inferometer.simulator.measure.HostQuantity;
import org.inferometer.simulator.measure.Measures;

/**
 * A machine whose processes share its cores: as long as no more want one than there are each has
 * its own, beyond that all get an equal part. A process has a core that it prefers, so that a busy
 * one shows as one full core and not as a little of each. What an exporter tells is counted when
 * somebody looks. Not thread-safe.
 */
public final class SimulatedHost implements Host {
  /** Bytes that the system itself and its daemons hold: an assumption. */
  private static final double SYSTEM_BYTES = 3.0 * (1L << 30);

  /** Share of the memory that is free for nothing: files read fill the rest. An assumption. */
  private static final double CACHED_SHARE = 0.3;

  /** Part of what no process holds that one can get without swapping: an assumption. */
  private static final double AVAILABLE_SHARE = 0.98;

  /** CPU that daemons and the kernel use on each core, by mode: assumptions. */
  private static final double SYSTEM_SHARE = 0.004;

  /** Part of a process's CPU that the kernel uses for it: an assumption. */
  private static final double KERNEL_SHARE = 0.12;

  /** Switches a second on each core that has nothing else to do, and for each run: assumptions. */
  private static final double SWITCHES = 400;

  private static final double SWITCHES_PER_RUN = 4;

  /** Its only network device and disk. */
  private static final String NETWORK = "eth0";

  private static final String DISK = "nvme0n1";

  /** Bytes of its file system, half of which is free: models are large. An assumption. */
  private static final double FILES_BYTES = 3.5e12;

  /** Bytes a second that go over the network whatever happens: an assumption. */
  private static final double CHATTER = 20_000;

  /** Seconds of the three load averages (Linux, kernel/sched/loadavg.c). */
  private static final double[] LOAD_SECONDS = {60, 300, 900};

  private static final HostQuantity[] LOADS = {
    HostQuantity.LOAD_1, HostQuantity.LOAD_5, HostQuantity.LOAD_15
  };

  /** At times when nobody looks sums are closed this often, for the load averages' sake. */
  private static final long SPAN_NS = 1_000_000_000L;

  private final Agenda agenda;
  private final String name;
  private final int cores;
  private final double memory;
  private final double bootSeconds;
  private final Knobs knobs = new Knobs(Part.HOST);
  private final Measures measures;
  private final List<SimulatedProcess> processes = new ArrayList<>();
  private final double[] owed;
  private final double[] userSeconds;
  private final double[] systemSeconds;
  private final double[] idleSeconds;
  private final double[] stealSeconds;
  private final String[] user;
  private final String[] system;
  private final String[] idle;
  private final String[] steal;

  private double busy;
  private double stealShare;
  private double speed = 1;
  private long closedNs;
  private long waitedUntilNs;
  private double waitedSeconds;
  private double runSeconds;
  private double runs;
  private int nextCore;

  /**
   * @param memory bytes
   * @param startSeconds when the simulation began, in seconds since 1970; it had booted a day
   *     before
   */
  public SimulatedHost(
      Agenda agenda,
      String name,
      int cores,
      double memory,
      double startSeconds,
      Measures.Edges edges) {
    if (cores < 1) {
      throw new IllegalArgumentException("expected a core at least, not " + cores);
    }
    this.agenda = agenda;
    this.name = name;
    this.cores = cores;
    this.memory = memory;
    this.bootSeconds = startSeconds - 86_400;
    this.measures = new Measures(HostQuantity.class, edges, agenda.now());
    this.closedNs = agenda.now();
    this.owed = new double[cores];
    this.userSeconds = new double[cores];
    this.systemSeconds = new double[cores];
    this.idleSeconds = new double[cores];
    this.stealSeconds = new double[cores];
    this.user = labels("user");
    this.system = labels("system");
    this.idle = labels("idle");
    this.steal = labels("steal");
    knobs.onTurn(this::turned);
    begin(startSeconds);
  }

  private String[] labels(String mode) {
    String[] labels = new String[cores];
    for (int i = 0; i < cores; i++) {
      labels[i] = i + "\n" + mode;
    }
    return labels;
  }

  /** All series are there from the start, with what a day of little work leaves. */
  private void begin(double startSeconds) {
    for (int i = 0; i < cores; i++) {
      idleSeconds[i] = 86_400 * (1 - SYSTEM_SHARE);
      systemSeconds[i] = 86_400 * SYSTEM_SHARE;
      for (String mode : List.of("iowait", "irq", "nice", "softirq")) {
        measures.set(HostQuantity.CPU_SECONDS, i + "\n" + mode, 0);
      }
    }
    tellCpu();
    measures.set(HostQuantity.BOOT_TIME, bootSeconds);
    measures.set(HostQuantity.MEMORY_TOTAL, memory);
    measures.set(HostQuantity.TIME, startSeconds);
    transferred(NETWORK, 0, 0);
    read(DISK, 0, 0);
    measures.set(HostQuantity.FILES_SIZE, "/", FILES_BYTES);
    measures.set(HostQuantity.FILES_FREE, "/", FILES_BYTES / 2);
    tellMemory();
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public int cores() {
    return cores;
  }

  @Override
  public Knobs knobs() {
    return knobs;
  }

  @Override
  public HostProcess start(String processName, double residentBytes) {
    close(agenda.now());
    SimulatedProcess process = new SimulatedProcess(processName, residentBytes, nextCore);
    nextCore = (nextCore + 1) % cores;
    processes.add(process);
    return process;
  }

  /** Bytes came in and went out over a network device. */
  public void transferred(String device, double received, double sent) {
    measures.add(HostQuantity.NETWORK_RECEIVED, device, received);
    measures.add(HostQuantity.NETWORK_SENT, device, sent);
  }

  /** Bytes were read from a disk, as weights are at a start. */
  public void read(String device, double bytes, double seconds) {
    measures.add(HostQuantity.DISK_READ, device, bytes);
    measures.add(HostQuantity.DISK_WRITTEN, device, 0);
    measures.add(HostQuantity.DISK_BUSY_SECONDS, device, seconds);
  }

  @Override
  public Measures measures() {
    close(agenda.now());
    tellCpu();
    int running = running(agenda.now());
    measures.set(HostQuantity.PROCESSES_RUNNING, Math.max(1, Math.rint(running + busy)));
    measures.set(HostQuantity.TIME, bootSeconds + 86_400 + agenda.now() / 1e9);
    tellMemory();
    return measures;
  }

  private void tellMemory() {
    double used = SYSTEM_BYTES;
    for (SimulatedProcess process : processes) {
      used += process.resident;
    }
    double rest = Math.max(0, memory - used);
    double cached = pages(rest * CACHED_SHARE);
    measures.set(HostQuantity.MEMORY_CACHED, cached);
    measures.set(HostQuantity.MEMORY_FREE, pages(rest - cached));
    measures.set(HostQuantity.MEMORY_AVAILABLE, pages(rest * AVAILABLE_SHARE));
  }

  /** The kernel gives memory in pages of 4 KiB. */
  private static double pages(double bytes) {
    return Math.rint(bytes / 4096) * 4096;
  }

  private void turned() {
    close(agenda.now());
    busy = knobs.get(Knob.HOST_BUSY);
    stealShare = Math.min(0.99, knobs.get(Knob.HOST_STEAL));
    speed = knobs.get(Knob.HOST_SPEED);
  }

  private int running(long now) {
    int count = 0;
    for (SimulatedProcess process : processes) {
      if (process.untilNs > now) {
        count++;
      }
    }
    return count;
  }

  /** Wall time of CPU time that begins now, with all that wants a core at this moment. */
  private double stretch(SimulatedProcess self, long now) {
    double wanted = busy + 1;
    for (SimulatedProcess process : processes) {
      if (process != self && process.untilNs > now) {
        wanted++;
      }
    }
    return Math.max(1, wanted / cores) / (1 - stealShare);
  }

  private void close(long now) {
    while (closedNs < now) {
      long next = Math.min(now, closedNs - closedNs % SPAN_NS + SPAN_NS);
      closeSpan(next);
    }
  }

  private void closeSpan(long toNs) {
    double span = (toNs - closedNs) / 1e9;
    double used = 0;
    for (SimulatedProcess process : processes) {
      double amount = process.take(toNs);
      owed[process.core] += amount;
      used += amount;
    }
    double wantedBusy = busy * span;
    double capacity = span * (1 - stealShare) * (1 - SYSTEM_SHARE);
    spread(capacity);
    double left = 0;
    for (double each : owed) {
      left += Math.max(0, capacity - each);
    }
    double given = left <= 0 ? 0 : Math.min(1, wantedBusy / left);
    for (int i = 0; i < cores; i++) {
      double own = Math.min(owed[i], capacity);
      double others = Math.max(0, capacity - owed[i]) * given;
      owed[i] -= own;
      count(i, span, own, others);
    }
    average(span, used);
    pressure(span);
    measures.add(HostQuantity.CONTEXT_SWITCHES, SWITCHES * cores * span + SWITCHES_PER_RUN * runs);
    transferred(NETWORK, CHATTER * span, CHATTER * span);
    runs = 0;
    closedNs = toNs;
  }

  /** What one core can't do is done by those that can. */
  private void spread(double capacity) {
    for (int i = 0; i < cores; i++) {
      for (int j = 1; j < cores && owed[i] > capacity; j++) {
        int other = (i + j) % cores;
        double room = Math.max(0, capacity - owed[other]);
        double moved = Math.min(room, owed[i] - capacity);
        owed[i] -= moved;
        owed[other] += moved;
      }
    }
  }

  private void count(int core, double span, double own, double others) {
    double kernel = own * KERNEL_SHARE + span * (1 - stealShare) * SYSTEM_SHARE;
    double program = own * (1 - KERNEL_SHARE) + others;
    double stolen = span * stealShare * Math.min(1, (own + others) / (span * (1 - stealShare)));
    systemSeconds[core] += kernel;
    userSeconds[core] += program;
    stealSeconds[core] += stolen;
    idleSeconds[core] += Math.max(0, span - kernel - program - stolen);
  }

  private void tellCpu() {
    for (int i = 0; i < cores; i++) {
      measures.set(HostQuantity.CPU_SECONDS, idle[i], ticks(idleSeconds[i]));
      measures.set(HostQuantity.CPU_SECONDS, steal[i], ticks(stealSeconds[i]));
      measures.set(HostQuantity.CPU_SECONDS, system[i], ticks(systemSeconds[i]));
      measures.set(HostQuantity.CPU_SECONDS, user[i], ticks(userSeconds[i]));
    }
  }

  /** The kernel tells CPU time in hundredths of a second. */
  private static double ticks(double seconds) {
    return Math.floor(seconds * 100) / 100;
  }

  private void average(double span, double used) {
    double active = busy + (runSeconds > 0 ? runSeconds / span : used / span);
    runSeconds = 0;
    for (int i = 0; i < LOADS.length; i++) {
      double kept = StrictMath.exp(-span / LOAD_SECONDS[i]);
      measures.set(LOADS[i], measures.value(LOADS[i]) * kept + active * (1 - kept));
    }
  }

  private void pressure(double span) {
    double waited = busy > cores ? span : Math.min(span, waitedSeconds);
    measures.add(HostQuantity.PRESSURE_CPU, waited);
    waitedSeconds = 0;
  }

  private final class SimulatedProcess implements HostProcess {
    private final String processName;
    private final int core;
    private double resident;
    private double finished;
    private double taken;
    private long fromNs;
    private long untilNs;
    private double current;

    private SimulatedProcess(String processName, double resident, int core) {
      this.processName = processName;
      this.resident = resident;
      this.core = core;
    }

    @Override
    public String name() {
      return processName;
    }

    @Override
    public long run(long cpuNs) {
      if (cpuNs <= 0) {
        return 0;
      }
      long now = agenda.now();
      double seconds = cpuNs / 1e9 / speed;
      double wall = seconds * stretch(this, now);
      long wallNs = Math.max(1, Math.round(wall * 1e9));
      // What it does already is counted as done, so that nothing is lost when runs overlap.
      finished += current;
      current = seconds;
      fromNs = now;
      untilNs = Math.max(untilNs, now + wallNs);
      runs++;
      runSeconds += wall;
      waited(now, now + wallNs, wall - seconds);
      return wallNs;
    }

    private double used(long now) {
      if (now >= untilNs) {
        return finished + current;
      }
      return finished + current * (now - fromNs) / (double) Math.max(1, untilNs - fromNs);
    }

    /** CPU seconds since this was last asked. */
    private double take(long now) {
      double used = used(now);
      double amount = Math.max(0, used - taken);
      taken += amount;
      return amount;
    }

    @Override
    public double cpuSeconds() {
      return used(agenda.now());
    }

    @Override
    public double residentBytes() {
      return resident;
    }

    @Override
    public void setResidentBytes(double bytes) {
      resident = bytes;
    }

    @Override
    public void end() {
      close(agenda.now());
      resident = 0;
      processes.remove(this);
    }
  }

  /** Somebody waits for a core from one moment to another; together these are "some" pressure. */
  private void waited(long fromNs, long untilNs, double seconds) {
    if (seconds <= 0) {
      return;
    }
    long begin = Math.max(fromNs, waitedUntilNs);
    if (untilNs > begin) {
      waitedSeconds += (untilNs - begin) / 1e9;
      waitedUntilNs = untilNs;
    }
  }
}
