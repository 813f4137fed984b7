package org.inferometer.query.stepwise;

import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import org.inferometer.model.Labels;

/**
 * What a query evaluates to: points by label set and time. A number has the empty label set.
 *
 * @param order the label sets of an instant vector in the order of its elements
 * @param byChance whether a part of it is one of several right ones
 */
public record Answer(
    Map<Labels, SortedMap<Long, Double>> points, List<Labels> order, boolean byChance) {}
