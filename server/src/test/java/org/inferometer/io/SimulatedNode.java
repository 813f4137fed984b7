package org.inferometer.io;

/** A file or a folder, whatever its name. */
sealed interface SimulatedNode permits SimulatedFile, SimulatedFolder {}
