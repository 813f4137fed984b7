package org.inferometer.promql;

import java.util.List;

/**
 * What a function takes and gives.
 *
 * @param arguments types of all arguments, the optional ones last
 * @param optional how many of them may be left out; -1 if the last may also be repeated
 */
public record FunctionSignature(
    String name, List<ValueType> arguments, int optional, ValueType result, boolean experimental) {
  public FunctionSignature {
    arguments = List.copyOf(arguments);
  }
}
