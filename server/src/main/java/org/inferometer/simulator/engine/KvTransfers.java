package org.inferometer.simulator.engine;

import org.inferometer.simulator.event.Agenda;
import org.inferometer.simulator.knob.Knob;
import org.inferometer.simulator.knob.Knobs;
import org.inferometer.simulator.measure.EngineQuantity;
import org.inferometer.simulator.measure.Measures;
import org.inferometer.simulator.request.Request.KeptKv;
import org.jspecify.annotations.Nullable;

/**
 * KV between instances: what this one fetches, over a link that sends one thing after the other,
 * and what it keeps for others to fetch.
 */
final class KvTransfers {
  /**
   * How long KV is kept for one who doesn't come: 480 s, by default, with vLLM's NIXL connector.
   */
  static final long LEASE_NS = 480_000_000_000L;

  /** A block is a descriptor: how many layers and halves it has isn't known here. */
  private static final int DESCRIPTORS_PER_BLOCK = 1;

  /** To hand one descriptor to the network card; about what NIXL's logs show, 1 ms for 1000. */
  private static final long POST_NS_PER_DESCRIPTOR = 1_000;

  /** What is told when things happen. */
  interface Listener {
    /** The KV of a sequence is there. */
    void onFetched(Sequence sequence);

    /** KV that was kept isn't any more. */
    void onReleased(Sequence sequence);
  }

  private final EngineConfig.@Nullable Transfers link;
  private final Agenda agenda;
  private final Knobs knobs;
  private final Measures measures;
  private final Listener listener;
  private long linkFreeNs;

  KvTransfers(
      EngineConfig.@Nullable Transfers link,
      Agenda agenda,
      Knobs knobs,
      Measures measures,
      Listener listener) {
    this.link = link;
    this.agenda = agenda;
    this.knobs = knobs;
    this.measures = measures;
    this.listener = listener;
  }

  /** Whether there is a link, and the sender still has what a sequence wants. */
  boolean canFetch(Sequence sequence) {
    return link != null && (sequence.request.kept == null || sequence.request.kept.isThere());
  }

  /** What a sequence wants can't be had: it is computed here. */
  void fail() {
    measures.add(EngineQuantity.KV_TRANSFER_FAILURES, 1);
  }

  /** Begins to fetch the KV of so many tokens. */
  void fetch(Sequence sequence, int tokens, int blocks) {
    if (link == null) {
      throw new IllegalStateException("expected a link to fetch KV over");
    }
    double bytes = tokens * link.kvBytesPerToken();
    double rate = link.bytesPerSecond() * knobs.get(Knob.ENGINE_KV_LINK);
    int descriptors = blocks * DESCRIPTORS_PER_BLOCK;
    long postNs = descriptors * POST_NS_PER_DESCRIPTOR;
    long begin = agenda.now();
    linkFreeNs = Math.max(linkFreeNs, begin + postNs) + Math.round(bytes / rate * 1e9);
    sequence.fetching = true;
    agenda.at(
        linkFreeNs + link.latencyNs(), () -> arrive(sequence, begin, postNs, bytes, descriptors));
  }

  private void arrive(Sequence sequence, long beginNs, long postNs, double bytes, int descriptors) {
    if (sequence.place == Sequence.Place.GONE) {
      return;
    }
    measures
        .distribution(EngineQuantity.KV_TRANSFER_SECONDS)
        .observe((agenda.now() - beginNs) * 1e-9);
    measures.distribution(EngineQuantity.KV_TRANSFER_POST_SECONDS).observe(postNs * 1e-9);
    measures.distribution(EngineQuantity.KV_TRANSFER_BYTES).observe(bytes);
    measures.distribution(EngineQuantity.KV_TRANSFER_DESCRIPTORS).observe(descriptors);
    sequence.fetching = false;
    if (sequence.request.kept != null) {
      sequence.request.kept.fetched();
    }
    listener.onFetched(sequence);
  }

  /** Keeps the blocks of a sequence that ended until they have been fetched. */
  void keep(Sequence sequence) {
    Lease lease = new Lease(sequence);
    sequence.place = Sequence.Place.KEPT;
    sequence.request.kept = lease;
    agenda.in(LEASE_NS, lease::expire);
  }

  /** KV that is kept for another instance. */
  private final class Lease implements KeptKv {
    private final Sequence sequence;

    Lease(Sequence sequence) {
      this.sequence = sequence;
    }

    @Override
    public boolean isThere() {
      return sequence.place == Sequence.Place.KEPT;
    }

    @Override
    public void fetched() {
      if (isThere()) {
        listener.onReleased(sequence);
      }
    }

    private void expire() {
      if (isThere()) {
        measures.add(EngineQuantity.KV_TRANSFER_EXPIRED, 1);
        listener.onReleased(sequence);
      }
    }
  }
}
