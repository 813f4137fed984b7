package org.inferometer.simulator.scenario;

/**
 * How far everything in a scenario may go: a file can come from anywhere, and what it asks for has
 * to be paid in memory and time. All are far beyond what fleets are.
 */
final class Bounds {
  static final long SECOND = 1_000_000_000L;
  static final long MINUTE = 60 * SECOND;
  static final long HOUR = 60 * MINUTE;
  static final long DAY = 24 * HOUR;

  static final long DURATION_MIN = 10 * SECOND;
  static final long DURATION_MAX = 7 * DAY;

  /** Groups of replicas, workloads, hosts; events. */
  static final int PARTS_MAX = 50;

  static final int EVENTS_MAX = 1000;

  /** Replicas of a group, and of the fleet. */
  static final int REPLICAS_MAX = 200;

  /** GPUs of all replicas together: 200 replicas may have 32 each. */
  static final int GPUS_MAX = 6400;

  /** GPUs of one replica; engines of one; processes that answer HTTP. */
  static final int TENSOR_PARALLEL_MAX = 64;

  static final int DATA_PARALLEL_MAX = 64;
  static final int API_SERVERS_MAX = 64;

  /** Requests a second of one workload, and its users where they wait for their answers. */
  static final double RATE_MAX = 10_000;

  static final int USERS_MAX = 100_000;
  static final int TRACE_MAX = 100_000;

  /** Tokens of a prompt or answer. */
  static final double TOKENS_MAX = 2_000_000;

  static final double SECONDS_MAX = 86_400;
  static final int TURNS_MAX = 1000;
  static final int LAWS_MAX = 20;
  static final int BRANCHES_MAX = 1_000_000;
  static final int ADAPTERS_MAX = 10_000;
  static final int BLOCKS_MAX = 100_000_000;
  static final int CORES_MAX = 1024;

  /** Scenarios that extend one another. */
  static final int EXTENDS_MAX = 8;

  /** Characters of a file. */
  static final int FILE_MAX = 1 << 20;

  private Bounds() {}
}
