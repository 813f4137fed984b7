package org.inferometer.model;

/** What a target tells about a metric family; unit and help may be empty. */
public record MetricMetadata(MetricType type, String unit, String help) {}
