package org.inferometer.scrape;

import org.inferometer.model.Labels;

/** A target that isn't scraped, and why. */
public record DroppedTarget(Labels discoveredLabels, String scrapePool, String reason) {}
