package org.inferometer.simulator.edge;

import org.inferometer.simulator.host.HostProcess;
import org.inferometer.simulator.measure.Measures;
import org.inferometer.simulator.measure.ServerQuantity;

/**
 * What an API process tells of itself: CPU, memory, files, garbage collection. It also does what
 * leaks and collections do to it.
 */
final class ProcessMeter {
  /**
   * Python's collector: the youngest generation after so many more objects were made than dropped,
   * each older one after ten collections of the younger. Source: module gc, get_threshold().
   */
  private static final int YOUNG_OBJECTS = 700;

  private static final int OLDER_EVERY = 10;

  /** Objects that stay, of each request and output. Estimates. */
  private static final int OBJECTS_PER_REQUEST = 40;

  private static final int OBJECTS_PER_OUTPUT = 1;

  /** Of 200 bytes to an object and 20 ns to look at it in a full collection. Estimates. */
  private static final double FULL_COLLECTION_NS_PER_BYTE = 0.1;

  /** Virtual memory beside the resident: libraries and the CUDA driver's reservations. Estimate. */
  private static final double VIRTUAL_MORE_BYTES = 12e9;

  /** Open files of a process that serves nobody: as in a vLLM process's dump, about. */
  private static final int FILES_IDLE = 40;

  private static final int FILES_MAX = 65_535;

  /** To write a page of some hundred series in Python takes about so long. Estimate. */
  private static final double PAGE_CPU_SECONDS = 0.002;

  private final Measures measures;
  private final HostProcess process;
  private long pages;
  private final double residentAtStart;
  private double leaked;
  private long leakedUntilNs;
  private int young;
  private long youngCollections;

  ProcessMeter(Measures measures, HostProcess process, long nowNs) {
    this.measures = measures;
    this.process = process;
    residentAtStart = process.residentBytes();
    leakedUntilNs = nowNs;
    measures.set(ServerQuantity.FILES_MAX, FILES_MAX);
    for (int generation = 0; generation < 3; generation++) {
      String label = Integer.toString(generation);
      measures.add(ServerQuantity.GC_COLLECTIONS, label, 0);
      measures.add(ServerQuantity.GC_COLLECTED, label, 0);
      measures.add(ServerQuantity.GC_UNCOLLECTABLE, label, 0);
    }
  }

  Measures measures() {
    return measures;
  }

  /** So many bytes a second were lost since the last time. */
  void leak(double bytesPerSecond, long nowNs) {
    leaked += bytesPerSecond * (nowNs - leakedUntilNs) / 1e9;
    leakedUntilNs = nowNs;
  }

  /** All gauges, for whoever looks now. */
  void bringUp(int connections, int requestsHere) {
    if (leaked > 0) {
      process.setResidentBytes(residentAtStart + leaked);
    }
    pages++;
    measures.set(ServerQuantity.CPU_SECONDS, process.cpuSeconds() + pages * PAGE_CPU_SECONDS);
    measures.set(ServerQuantity.RESIDENT_BYTES, process.residentBytes());
    measures.set(ServerQuantity.VIRTUAL_BYTES, process.residentBytes() + VIRTUAL_MORE_BYTES);
    measures.set(ServerQuantity.OPEN_FILES, FILES_IDLE + connections);
    measures.set(ServerQuantity.REQUESTS_HERE, requestsHere);
  }

  long onRequest() {
    return made(OBJECTS_PER_REQUEST);
  }

  long onOutputs(int count) {
    return made(count * OBJECTS_PER_OUTPUT);
  }

  /** CPU time of the collections that this many objects set off. */
  private long made(int objects) {
    young += objects;
    long nanos = 0;
    while (young >= YOUNG_OBJECTS) {
      young -= YOUNG_OBJECTS;
      nanos += collect();
    }
    return nanos;
  }

  private long collect() {
    youngCollections++;
    boolean full = youngCollections % (OLDER_EVERY * OLDER_EVERY) == 0;
    boolean middle = youngCollections % OLDER_EVERY == 0;
    String generation = full ? "2" : middle ? "1" : "0";
    measures.add(ServerQuantity.GC_COLLECTIONS, generation, 1);
    // About one in sixty of the young objects is part of a dead cycle, as dumps of servers have it.
    measures.add(ServerQuantity.GC_COLLECTED, generation, YOUNG_OBJECTS / 60.0);
    return full ? Math.round(leaked * FULL_COLLECTION_NS_PER_BYTE) : 0;
  }
}
