package org.inferometer.app;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;

/**
 * What the operating system tells the process to do. The class behind it is in every JDK but isn't
 * part of Java's documented API, so it is called by name and done without where it is missing.
 */
final class OsSignals {
  private OsSignals() {}

  /**
   * Runs an action whenever a signal comes, in place of ending the process.
   *
   * @param name without SIG: {@code TERM}, {@code INT}, {@code HUP}
   * @return whether signals can be caught here
   */
  static boolean on(String name, Runnable action) {
    try {
      Class<?> signal = Class.forName("sun.misc.Signal");
      Class<?> handler = Class.forName("sun.misc.SignalHandler");
      Object proxy =
          Proxy.newProxyInstance(
              handler.getClassLoader(),
              new Class<?>[] {handler},
              (self, method, arguments) -> handle(self, method, arguments, action));
      signal
          .getMethod("handle", signal, handler)
          .invoke(null, signal.getConstructor(String.class).newInstance(name), proxy);
      return true;
    } catch (ReflectiveOperationException | IllegalArgumentException e) {
      return false;
    }
  }

  /** A proxy is equal to itself only. */
  @SuppressWarnings("ReferenceEquality")
  private static Object handle(Object self, Method method, Object[] arguments, Runnable action) {
    return switch (method.getName()) {
      case "handle" -> {
        action.run();
        yield self;
      }
      case "equals" -> self == arguments[0];
      case "hashCode" -> System.identityHashCode(self);
      default -> "signal handler";
    };
  }
}
