package org.inferometer.simulator.gpu;

/**
 * What a GPU does while kernels run on it: averaged over that time, or summed up over several
 * times, each by its length. One object is used again and again. Not thread-safe.
 */
final class Load {
  /** Shares of time, 0 to 1: SMs with a warp, warps through those possible, cycles. */
  double sm;

  double occupancy;
  double tensor;

  /** Share of the memory's bandwidth in use. */
  double dram;

  /** Bytes a second to other GPUs over NVLink, as many come back. */
  double link;

  /** Bytes a second sent over PCIe, and received. */
  double pcieSent;

  double pcieReceived;

  void clear() {
    sm = 0;
    occupancy = 0;
    tensor = 0;
    dram = 0;
    link = 0;
    pcieSent = 0;
    pcieReceived = 0;
  }

  /** Adds another's, so many times. */
  void add(Load other, double times) {
    sm += other.sm * times;
    occupancy += other.occupancy * times;
    tensor += other.tensor * times;
    dram += other.dram * times;
    link += other.link * times;
    pcieSent += other.pcieSent * times;
    pcieReceived += other.pcieReceived * times;
  }

  /** Waits in a collective for another GPU: a kernel spins on a few SMs. */
  void spin() {
    clear();
    sm = SPIN_SM;
    occupancy = SPIN_SM * SPIN_SM;
  }

  /** SMs that a waiting collective holds: NCCL uses 16 to 24 of 132 blocks or so. */
  private static final double SPIN_SM = 0.15;
}
