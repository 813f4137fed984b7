package org.inferometer.app;

import java.nio.file.Path;
import org.inferometer.io.Disk;
import picocli.CommandLine.Parameters;

/** A command whose first parameter is the data directory. */
abstract class FolderCommand extends DataCommand {
  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "DIR",
      defaultValue = DEFAULT_FOLDER,
      description = "The data directory; ${DEFAULT-VALUE} if not given.")
  Path folder = Path.of(DEFAULT_FOLDER);

  FolderCommand(Console console, Disk disk) {
    super(console, disk);
  }
}
