package org.inferometer.simulator.live;

import java.util.ArrayDeque;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongConsumer;
import org.inferometer.simulator.event.Agenda;
import org.inferometer.time.Pacer;
import org.inferometer.time.Ticker;
import org.jspecify.annotations.Nullable;

/**
 * An agenda in step with the real clock: events happen when their simulated time has come. Its
 * thread is the simulation's only one; others hand in what is to be done there. Thread-safe.
 *
 * <p>If it falls behind because the machine is busy, it catches up as fast as it can, and nothing
 * is left out. If it is behind by more than {@link #LATE_NS_MAX}, as after the machine slept,
 * simulated time stands still for the difference instead: an hour's work isn't done in a rush that
 * nobody sees.
 */
public final class RealTime implements AutoCloseable {
  /** Real nanoseconds: as long as a scraper usually waits for an answer. */
  public static final long LATE_NS_MAX = 10_000_000_000L;

  /** Simulated nanoseconds that happen at a stretch. */
  private static final long SLICE_NS = 50_000_000;

  /** Real nanoseconds after which what was handed in is done although it isn't quite its time. */
  private static final long WAIT_NS_MAX = 20_000_000;

  /** Real nanoseconds until the next turn at most. */
  private static final long PAUSE_NS_MAX = 1_000_000_000;

  /** More than all connections together can have under way. */
  private static final int WAITING_MAX = 16_384;

  /** So much is waiting for the simulation that nothing more is taken, or it has ended. */
  public static final class BusyException extends Exception {
    private static final long serialVersionUID = 1L;

    BusyException(String message) {
      super(message);
    }
  }

  /** Something to be done on the simulation's thread. */
  private interface Work {
    void run();

    /** It will never be run. */
    void drop();
  }

  private final Agenda agenda;
  private final Ticker ticker;
  private final double speed;
  private final LongConsumer onHeldBack;
  private final ReentrantLock turn = new ReentrantLock();
  private final Object guard = new Object();
  private final ArrayDeque<Work> waiting = new ArrayDeque<>();
  private final CompletableFuture<@Nullable RuntimeException> end = new CompletableFuture<>();
  private Pacer.@Nullable Running running;
  private boolean over;

  /** Ticker and agenda at the moment that both count from; the simulation's thread only. */
  private long originTick;

  private long originNs;
  private long held;

  private volatile long lateNs;
  private volatile long heldBackNs;

  /**
   * @param speed simulated seconds in a real one
   * @param onHeldBack is told of real nanoseconds for which simulated time stood still
   */
  public RealTime(Agenda agenda, Ticker ticker, double speed, LongConsumer onHeldBack) {
    if (!(speed > 0 && speed <= 1000)) {
      throw new IllegalArgumentException("expected a speed above 0 and up to 1000, not " + speed);
    }
    this.agenda = agenda;
    this.ticker = ticker;
    this.speed = speed;
    this.onHeldBack = onHeldBack;
  }

  /** Goes on from where the agenda is. The agenda isn't to be touched by others any more. */
  public RealTime start(Pacer pacer) {
    return start(pacer, agenda.now());
  }

  /**
   * Goes on from where the agenda is, towards a moment that should be the present.
   *
   * @param presentNs simulated nanoseconds; what lacks until then is caught up with
   */
  public RealTime start(Pacer pacer, long presentNs) {
    originTick = ticker.nanos();
    originNs = presentNs;
    synchronized (guard) {
      running = pacer.start("simulation", 0, this::turn);
    }
    return this;
  }

  private long turn() {
    turn.lock();
    try {
      return isOver() ? Pacer.DONE : advance();
    } catch (RuntimeException e) {
      // What an event left half done isn't to be gone on with.
      end(e);
      return Pacer.DONE;
    } catch (Error e) {
      // No memory, no stack: whoever waits for an answer is to hear of it all the same.
      end(new IllegalStateException("the simulation broke: " + e, e));
      return Pacer.DONE;
    } finally {
      turn.unlock();
    }
  }

  private long advance() {
    long begun = ticker.nanos();
    measureLateness(target());
    long target = target();
    while (agenda.now() < target && !isOver()) {
      agenda.runUntil(Math.min(target, agenda.now() + SLICE_NS));
      if (ticker.nanos() - begun > WAIT_NS_MAX) {
        doWaiting();
      }
    }
    doWaiting();
    return pause();
  }

  private long target() {
    return originNs + (long) ((ticker.nanos() - originTick) * speed);
  }

  private void measureLateness(long target) {
    long late = (long) (Math.max(0, target - agenda.next()) / speed);
    if (late > LATE_NS_MAX) {
      originTick += late;
      held += late;
      heldBackNs = held;
      onHeldBack.accept(late);
      late = 0;
    }
    lateNs = late;
  }

  /** Real nanoseconds until something is due. */
  private long pause() {
    long next = agenda.next();
    double wait = Math.ceil((next - target()) / speed);
    return (long) Math.clamp(wait, 0, PAUSE_NS_MAX);
  }

  private void doWaiting() {
    Work work = poll();
    while (work != null) {
      work.run();
      work = poll();
    }
  }

  private @Nullable Work poll() {
    synchronized (guard) {
      return waiting.poll();
    }
  }

  private boolean isOver() {
    synchronized (guard) {
      return over;
    }
  }

  /**
   * Has something done on the simulation's thread, and waits for it.
   *
   * @throws BusyException if it can't be done
   */
  public <T> T ask(Callable<T> question) throws BusyException, InterruptedException {
    CompletableFuture<T> answer = new CompletableFuture<>();
    enqueue(
        new Work() {
          @Override
          public void run() {
            try {
              answer.complete(question.call());
            } catch (Exception e) {
              answer.completeExceptionally(e);
            } catch (Error e) {
              answer.completeExceptionally(e);
              throw e;
            }
          }

          @Override
          public void drop() {
            answer.completeExceptionally(new BusyException("the simulation has ended"));
          }
        },
        WAITING_MAX);
    try {
      return answer.get();
    } catch (ExecutionException e) {
      throw busyOr(e);
    }
  }

  private static BusyException busyOr(ExecutionException e) {
    if (e.getCause() instanceof BusyException busy) {
      return busy;
    }
    throw new IllegalStateException("a question to the simulation failed", e.getCause());
  }

  /**
   * Has something done on the simulation's thread, whatever waits there already: for what gives
   * room back. Of no effect when the simulation has ended.
   */
  public void tell(Runnable message) {
    try {
      enqueue(
          new Work() {
            @Override
            public void run() {
              message.run();
            }

            @Override
            public void drop() {
              // Nobody waits for it.
            }
          },
          Integer.MAX_VALUE);
    } catch (BusyException e) {
      // It has ended, and with it what this was about.
    }
  }

  private void enqueue(Work work, int waitingMax) throws BusyException {
    Pacer.Running wakes;
    synchronized (guard) {
      if (over) {
        throw new BusyException("the simulation has ended");
      }
      if (waiting.size() >= waitingMax) {
        throw new BusyException("more than " + waitingMax + " requests wait for the simulation");
      }
      waiting.add(work);
      wakes = running;
    }
    if (wakes != null) {
      wakes.wake();
    }
  }

  /** How late the event was, in real nanoseconds, that was due first at the last turn. */
  public long lateNs() {
    return lateNs;
  }

  /** Real nanoseconds for which simulated time stood still, in all. */
  public long heldBackNs() {
    return heldBackNs;
  }

  public double speed() {
    return speed;
  }

  /** Completed when it is over: with what broke it, or with null if it was closed. */
  public CompletableFuture<@Nullable RuntimeException> end() {
    return end;
  }

  private void end(@Nullable RuntimeException why) {
    Pacer.Running stops;
    ArrayDeque<Work> dropped;
    synchronized (guard) {
      over = true;
      stops = running;
      dropped = new ArrayDeque<>(waiting);
      waiting.clear();
    }
    if (stops != null) {
      stops.stop();
    }
    dropped.forEach(Work::drop);
    end.complete(why);
  }

  /** Nothing happens any more when this returns. Of no effect the second time. */
  @Override
  public void close() {
    end(null);
    turn.lock();
    try {
      // The turn that was going on has ended.
    } finally {
      turn.unlock();
    }
  }
}
