package org.inferometer.signals;

import org.jspecify.annotations.Nullable;

/**
 * A family that tells how a server was started.
 *
 * @param name of the setting that its value is; null if its labels are settings
 */
public record SettingSource(String family, @Nullable String name) {}
