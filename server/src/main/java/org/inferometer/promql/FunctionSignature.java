package org.inferometer.promql;

import java.util.List;

/**
 * What a function takes and gives.
 *
 * @param arguments types of all arguments, the optional ones last
 * @param optional how many of them may be left out; -1 if the last may be left out or repeated
 */
public record FunctionSignature(
    String name, List<ValueType> arguments, int optional, ValueType result, boolean experimental) {
  public FunctionSignature {
    arguments = List.copyOf(arguments);
  }

  public int minArguments() {
    return arguments.size() - Math.abs(optional);
  }

  public int maxArguments() {
    return optional < 0 ? Integer.MAX_VALUE : arguments.size();
  }

  /** The type of an argument; the last type is also that of all that follow. */
  public ValueType argument(int index) {
    return arguments.get(Math.min(index, arguments.size() - 1));
  }
}
