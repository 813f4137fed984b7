package org.inferometer.simulator.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.inferometer.simulator.engine.EngineRig.MS;
import static org.inferometer.simulator.engine.EngineRig.config;

import org.inferometer.simulator.engine.EngineRig.Config;
import org.inferometer.simulator.knob.Knob;
import org.inferometer.simulator.measure.EngineQuantity;
import org.inferometer.simulator.request.Request;
import org.inferometer.simulator.request.Request.Finish;
import org.inferometer.simulator.request.Request.Handover;
import org.junit.jupiter.api.Test;

/** Prefill and decode on instances of their own. */
class KvTransfersTest {
  private static EngineRig rig() {
    Config config = config();
    // A megabyte a token, a token a microsecond.
    config.transfers = new EngineConfig.Transfers(1e12, 2 * MS, 1e6);
    return config.rig();
  }

  private static Request toSend(EngineRig rig, int prompt) {
    Request request = rig.request(prompt, 100);
    request.handover = Handover.TO_SEND;
    return rig.add(request);
  }

  private static Request toFetch(EngineRig rig, int prompt, int output) {
    Request request = rig.request(prompt, output);
    request.handover = Handover.TO_FETCH;
    return rig.add(request);
  }

  @Test
  void toSend_onToken_andItsKvStaysUntilFetched() {
    EngineRig rig = rig();
    Request request = toSend(rig, 100);
    rig.agenda.runUntil(10 * MS);
    assertThat(request.generated).isEqualTo(1);
    assertThat(request.finish).isEqualTo(Finish.LENGTH);
    assertThat(rig.engine.cache().pool().used()).isEqualTo(7);
    assertThat(rig.value(EngineQuantity.RUNNING)).isZero();
    assertThat(rig.value(EngineQuantity.KV_USAGE)).isPositive();
    assertThat(request.kept).isNotNull();
    request.kept.fetched();
    rig.agenda.runUntil(11 * MS);
    assertThat(request.kept.isThere()).isFalse();
    assertThat(rig.engine.cache().pool().used()).isZero();
    assertThat(rig.value(EngineQuantity.KV_USAGE)).isZero();
    rig.runOut();
    assertThat(rig.value(EngineQuantity.KV_TRANSFER_EXPIRED)).isZero();
  }

  @Test
  void neverFetched_leaseEnds() {
    EngineRig rig = rig();
    toSend(rig, 100);
    rig.runOut();
    assertThat(rig.agenda.now()).isEqualTo(MS + KvTransfers.LEASE_NS);
    assertThat(rig.engine.cache().pool().used()).isZero();
    assertThat(rig.value(EngineQuantity.KV_TRANSFER_EXPIRED)).isEqualTo(1);
  }

  @Test
  void toFetch_isDeferredWhileItsKvIsOnItsWay() {
    EngineRig rig = rig();
    Request request = toFetch(rig, 1001, 3);
    rig.agenda.runUntil(MS);
    assertThat(rig.value(EngineQuantity.WAITING_DEFERRED)).isEqualTo(1);
    assertThat(rig.value(EngineQuantity.RUNNING)).isZero();
    assertThat(rig.engine.cache().pool().used()).as("blocks are there first").isEqualTo(63);
    rig.runOut();
    // 63 microseconds to post, 1000 for 1000 tokens, 2 ms latency; then a step for the last token.
    long there = 63_000 + MS + 2 * MS;
    assertThat(request.scheduledNs).isEqualTo(there);
    assertThat(request.firstTokenNs).isEqualTo(there + MS);
    assertThat(request.generated).isEqualTo(3);
    assertThat(request.transferredTokens).isEqualTo(1000);
    assertThat(rig.measures.value(EngineQuantity.PROMPT_TOKENS_BY_SOURCE, "external_kv_transfer"))
        .isEqualTo(1000);
    assertThat(rig.value(EngineQuantity.EXTERNAL_HIT_TOKENS)).isEqualTo(1000);
    assertThat(rig.value(EngineQuantity.EXTERNAL_QUERY_TOKENS)).isEqualTo(1001);
    assertThat(rig.measures.distribution(EngineQuantity.KV_TRANSFER_BYTES).sum()).isEqualTo(1e9);
    assertThat(rig.measures.distribution(EngineQuantity.KV_TRANSFER_SECONDS).sum())
        .isEqualTo(there * 1e-9);
  }

  @Test
  void othersRunOn_whileOneIsFetched() {
    EngineRig rig = rig();
    toFetch(rig, 1001, 1);
    Request other = rig.add(10, 2);
    rig.runOut();
    assertThat(other.scheduledNs).isZero();
    assertThat(other.lastTokenNs).isEqualTo(2 * MS);
  }

  @Test
  void slowLink_transfersQueueOnIt() {
    EngineRig rig = rig();
    rig.knobs.set(Knob.ENGINE_KV_LINK, 0.1);
    Request first = toFetch(rig, 1001, 1);
    Request second = toFetch(rig, 1001, 1);
    rig.runOut();
    assertThat(second.scheduledNs - first.scheduledNs).isEqualTo(10 * MS);
  }

  @Test
  void fetched_leavesTheSendersBlocks() {
    EngineRig prefill = rig();
    Request sent = toSend(prefill, 1001);
    prefill.agenda.runUntil(5 * MS);
    EngineRig decode = rig();
    Request request = decode.request(sent.ask.prompt(), 5);
    request.handover = Handover.TO_FETCH;
    request.kept = sent.kept;
    decode.add(request);
    decode.runOut();
    assertThat(request.generated).isEqualTo(5);
    assertThat(prefill.engine.cache().pool().used()).isZero();
  }

  @Test
  void sameRequestInBoth_beginsAnewInTheSecond() {
    EngineRig prefill = rig();
    Request request = toSend(prefill, 1001);
    prefill.agenda.runUntil(5 * MS);
    EngineRig decode = rig();
    request.handover = Handover.TO_FETCH;
    request.clearServed();
    decode.add(request);
    prefill.engine.abort(request);
    decode.runOut();
    assertThat(request.generated).isEqualTo(100);
    assertThat(request.transferredTokens).isEqualTo(1000);
    assertThat(request.queuedNs).isZero();
    assertThat(prefill.engine.cache().pool().used()).isZero();
    assertThat(decode.engine.cache().pool().used()).isZero();
  }

  @Test
  void senderHasItNoMore_computesItself() {
    EngineRig prefill = rig();
    Request sent = toSend(prefill, 1001);
    prefill.runOut();
    EngineRig decode = rig();
    Request request = decode.request(sent.ask.prompt(), 5);
    request.handover = Handover.TO_FETCH;
    request.kept = sent.kept;
    decode.add(request);
    decode.runOut();
    assertThat(request.generated).isEqualTo(5);
    assertThat(request.firstTokenNs).isEqualTo(MS);
    assertThat(decode.value(EngineQuantity.KV_TRANSFER_FAILURES)).isEqualTo(1);
  }

  @Test
  void givenUpOnItsWay_leavesNothing() {
    EngineRig rig = rig();
    Request request = toFetch(rig, 1001, 3);
    rig.agenda.runUntil(MS);
    rig.engine.abort(request);
    rig.runOut();
    assertThat(rig.engine.cache().pool().used()).isZero();
    assertThat(rig.engine.waiting()).isZero();
    assertThat(rig.value(EngineQuantity.WAITING)).isZero();
  }

  @Test
  void localHits_needNoTransfer() {
    EngineRig rig = rig();
    Request first = rig.add(1001, 1);
    rig.runOut();
    Request request = rig.request(first.ask.prompt(), 1);
    request.handover = Handover.TO_FETCH;
    rig.add(request);
    rig.runOut();
    assertThat(request.cachedTokens).isEqualTo(992);
    assertThat(request.transferredTokens).isEqualTo(8);
  }
}
