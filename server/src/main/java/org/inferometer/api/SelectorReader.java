package org.inferometer.api;

import java.util.List;
import org.inferometer.model.Matcher;
import org.inferometer.promql.ParseException;

/** Reads a series selector such as {@code up{job="a"}}. */
@FunctionalInterface
public interface SelectorReader {
  List<Matcher> read(String selector) throws ParseException;
}
