package org.inferometer.simulator.request;

import org.inferometer.simulator.event.Dice;
import org.jspecify.annotations.Nullable;

/**
 * One request on its way through all layers, with the moments at which things happened to it:
 * simulated nanoseconds, -1 for what hasn't. Each layer writes its own fields only. Not
 * thread-safe.
 */
public final class Request {
  /** How a request ended at the engine. */
  public enum Finish {
    STOP,
    LENGTH,
    ABORT,
    ERROR
  }

  /**
   * What was asked.
   *
   * @param name as in X-Request-Id
   * @param workload the name of the workload it is of; a tenant's, often
   * @param outputTokens after so many the model would stop by itself
   * @param maxTokens after so many it is cut; {@link #NO_LIMIT} if it didn't say
   * @param adapter the LoRA adapter it asks for
   * @param priority lower goes first, where the engine looks at it
   * @param temperature 0 is greedy
   * @param preprocessNs CPU time before it can be tokenised: images
   * @param streams whether tokens are sent as they come
   */
  public record Ask(
      String name,
      String workload,
      Prompt prompt,
      int outputTokens,
      int maxTokens,
      @Nullable String adapter,
      int priority,
      double temperature,
      boolean penalties,
      long preprocessNs,
      boolean streams) {
    /** Of tokens, for a request that names none: the engine's own bound holds. */
    public static final int NO_LIMIT = Integer.MAX_VALUE;

    public Ask {
      if (prompt.length() < 1 || outputTokens < 1 || maxTokens < 1) {
        throw new IllegalArgumentException("expected a prompt and an answer of a token at least");
      }
    }

    /** How many tokens its answer has if nothing cuts it earlier. */
    public int tokensToGenerate() {
      return Math.min(outputTokens, maxTokens);
    }
  }

  /** Keeps the contents of answers apart from those that prompts name; any number would do. */
  private static final long OUTPUT_SALT = 0x6f7574707574L;

  /** Distinct within a simulation, rising with creation. */
  public final long id;

  public final Ask ask;

  /** When the client meant to send it, and did. Written by the client. */
  public long dueNs = -1;

  public long sentNs = -1;

  /**
   * Written by the front end: arrival there, and when its first and last outputs were processed.
   */
  public long arrivalNs = -1;

  /** When it was tokenised, and the header of a stream sent. Written by the front end. */
  public long readNs = -1;

  public long firstOutputNs = -1;
  public long lastOutputNs = -1;

  /** Written by the engine core. */
  public long queuedNs = -1;

  public long scheduledNs = -1;
  public long firstTokenNs = -1;
  public long lastTokenNs = -1;

  /** Tokens generated so far. */
  public int generated;

  /** Prompt tokens that came from the prefix cache at the first scheduling. */
  public int cachedTokens;

  /** Prompt tokens whose KV another instance sent. */
  public int transferredTokens;

  public int preemptions;
  public @Nullable Finish finish;

  /** For P/D: whether its KV is to be computed only, or fetched from another instance. */
  public Handover handover = Handover.NONE;

  /** What prefill and decode instances do with a request between them. */
  public enum Handover {
    NONE,
    /** This instance computes the prompt's KV and one token, and keeps the KV to be fetched. */
    TO_SEND,
    /** This instance fetches the prompt's KV before it schedules the request. */
    TO_FETCH
  }

  /** The conversation it is a turn of, 0 if of none. Written by the client. */
  public long session;

  /** The KV that the sending instance keeps for it; given along to the request that fetches it. */
  public @Nullable KeptKv kept;

  /** KV that a prefill instance keeps until it has been fetched, or for as long as its lease. */
  public interface KeptKv {
    boolean isThere();

    /** It has been fetched: its blocks are free again. */
    void fetched();
  }

  /** Free for the engine's own bookkeeping. */
  public @Nullable Object engineState;

  /** Free for the front end's own bookkeeping. */
  public @Nullable Object frontEndState;

  private final long outputContent;

  public Request(long id, Ask ask) {
    this(id, ask, Dice.mix(id ^ OUTPUT_SALT));
  }

  /**
   * @param outputContent the content that its generated tokens are
   */
  public Request(long id, Ask ask, long outputContent) {
    this.id = id;
    this.ask = ask;
    this.outputContent = outputContent;
  }

  public int promptTokens() {
    return ask.prompt().length();
  }

  /**
   * What the front end and the engine wrote is forgotten, so that another instance can take it
   * after a prefill elsewhere. What the engine needs for the handover stays.
   */
  public void clearServed() {
    arrivalNs = -1;
    readNs = -1;
    firstOutputNs = -1;
    lastOutputNs = -1;
    queuedNs = -1;
    scheduledNs = -1;
    firstTokenNs = -1;
    lastTokenNs = -1;
    generated = 0;
    cachedTokens = 0;
    transferredTokens = 0;
    preemptions = 0;
    finish = null;
    frontEndState = null;
  }

  /**
   * The content that its generated tokens are: the answer's token i stands at offset i of it. A
   * later turn that repeats the answer is {@code prompt.then(outputContent(), generated)}.
   */
  public long outputContent() {
    return outputContent;
  }

  @Override
  public String toString() {
    return ask.name();
  }
}
