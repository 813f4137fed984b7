package org.inferometer.simulator.engine;

import java.util.Arrays;
import org.inferometer.simulator.event.Dice;
import org.inferometer.simulator.request.Prompt;
import org.inferometer.simulator.request.Request;
import org.inferometer.simulator.request.Request.Finish;
import org.inferometer.simulator.request.Request.Handover;

/**
 * A request as the scheduler sees it: no phases, but computed tokens that chase known ones. Not
 * thread-safe.
 */
final class Sequence {
  /** Where it is. */
  enum Place {
    /** Not looked at by the engine yet. */
    INBOX,
    WAITING,
    /** Waiting, and put off for something else than capacity. */
    SKIPPED,
    RUNNING,
    /** It ended; its KV is kept for another instance. */
    KEPT,
    GONE
  }

  static final int NO_ADAPTER = -1;

  /** Where the chain of block hashes begins, so that no block is hashed to its plain content. */
  private static final long CHAIN_SEED = 0x6b765f626c6f636bL;

  final Request request;

  /** The engine it is in: a request goes through two where prefill and decode are apart. */
  final Engine engine;

  final int promptTokens;

  /** After so many generated tokens it ends, and how. */
  final int tokensToGenerate;

  final Finish finishThen;

  /** After so many it is cut, whatever it says: what the engine knows beforehand. */
  final int tokensMax;

  final int adapter;
  final boolean penalties;
  final double temperature;

  Place place = Place.INBOX;

  /** Nobody waits for it any more; it leaves when the engine gets round to it. */
  boolean aborted;

  /** Tokens that are known: the prompt's and the generated ones. */
  int known;

  /** Tokens that are computed, those of steps that haven't returned included. */
  int computed;

  /** Tokens that steps which haven't returned may bring, drafts included. */
  int inFlight;

  /** Draft tokens to be verified in its next step. */
  int drafts;

  /** Until so many tokens are computed, it is a prefill. */
  int prefillEnd;

  /** How many tokens were computed before it was preempted. */
  int computedOnce;

  int[] blocks = new int[8];
  int blockCount;

  /** Its first blocks that can be found by their hashes. */
  int registered;

  /** Whether its KV is still to be fetched from another instance, and is on its way. */
  boolean toFetch;

  boolean fetching;

  private final int blockSize;
  private long[] hashes = new long[8];
  private int hashCount;
  private final long chain;
  private Prompt content;

  Sequence(Request request, Engine engine, int adapter) {
    this.request = request;
    this.engine = engine;
    EngineConfig config = engine.config();
    this.adapter = adapter;
    blockSize = config.blockSize();
    Request.Ask ask = request.ask;
    content = ask.prompt();
    promptTokens = content.length();
    known = promptTokens;
    penalties = ask.penalties();
    temperature = ask.temperature();
    tokensMax =
        request.handover == Handover.TO_SEND
            ? 1
            : Math.min(ask.maxTokens(), config.maxModelLen() - promptTokens);
    tokensToGenerate = Math.min(ask.outputTokens(), tokensMax);
    finishThen = ask.outputTokens() <= tokensMax ? Finish.STOP : Finish.LENGTH;
    toFetch = request.handover == Handover.TO_FETCH;
    chain = ask.adapter() == null ? CHAIN_SEED : seedOf(ask.adapter());
  }

  /** Whether the step before it next brings a token is a prefill's. */
  boolean isPrefilling() {
    return computed < prefillEnd;
  }

  /** The hash of a block that is full of known tokens, chained from the first. */
  long hash(int block) {
    while (hashCount <= block) {
      addHash();
    }
    return hashes[block];
  }

  void addBlock(int block) {
    if (blockCount == blocks.length) {
      blocks = Arrays.copyOf(blocks, moreThan(blockCount));
    }
    blocks[blockCount++] = block;
  }

  /** What it holds is gone: it begins again. */
  void forgetBlocks() {
    computedOnce = Math.max(computedOnce, computed);
    computed = 0;
    drafts = 0;
    blockCount = 0;
    registered = 0;
  }

  private void addHash() {
    int from = hashCount * blockSize;
    int to = from + blockSize;
    if (to > content.length()) {
      // The answer's tokens are content too: a later turn of the conversation finds them.
      content = content.then(request.outputContent(), tokensMax);
    }
    if (hashCount == hashes.length) {
      hashes = Arrays.copyOf(hashes, moreThan(hashCount));
    }
    long parent = hashCount == 0 ? chain : hashes[hashCount - 1];
    hashes[hashCount++] = Dice.mix(Dice.mix(parent) ^ content.contentKey(from, to));
  }

  /** How many blocks to have room for: all that are known of by now, or twice as many as before. */
  private int moreThan(int count) {
    return Math.max(count * 2, known / blockSize + 1);
  }

  /** Adapters change the KV of the same tokens. */
  private static long seedOf(String adapter) {
    long seed = CHAIN_SEED;
    for (int i = 0; i < adapter.length(); i++) {
      seed = Dice.mix(seed ^ adapter.charAt(i));
    }
    return seed;
  }
}
