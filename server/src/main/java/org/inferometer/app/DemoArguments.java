package org.inferometer.app;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The arguments of {@code demo} as they were written.
 *
 * @param scenario a name or a file; null for the demo's own fleet
 * @param fault that is put in when the fleet is live; null for none
 * @param history how long the past is; null for what suits the scenario
 * @param data where the samples are kept; null for a folder that is removed at the end
 * @param opens whether the page is opened where there is a desktop
 */
record DemoArguments(
    @Nullable String scenario,
    @Nullable String fault,
    String listen,
    @Nullable String history,
    long seed,
    @Nullable Path data,
    boolean opens) {}
