package org.inferometer.app;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.concurrent.Callable;
import org.inferometer.io.Disk;
import org.inferometer.store.StoreException;
import org.jspecify.annotations.Nullable;

/** A command over a data directory: what goes wrong with files is told in a line. */
abstract class DataCommand implements Callable<Integer> {
  static final String DEFAULT_FOLDER = "./inferometer-data";

  final Console console;
  final Disk disk;

  DataCommand(Console console, Disk disk) {
    this.console = console;
    this.disk = disk;
  }

  @Override
  public final Integer call() {
    try {
      return run();
    } catch (IOException e) {
      throw CommandException.failed(reason(e), e);
    } catch (StoreException e) {
      throw CommandException.failed(String.valueOf(e.getMessage()), e);
    }
  }

  /**
   * @return the exit code
   */
  abstract int run() throws IOException;

  /** Java says of some failures no more than the path. */
  static String reason(IOException e) {
    return switch (e) {
      case NoSuchFileException absent -> absent.getFile() + ": no such file";
      case AccessDeniedException denied -> denied.getFile() + ": permission denied";
      case FileSystemException other when other.getReason() != null ->
          other.getFile() + ": " + other.getReason();
      default -> {
        @Nullable String message = e.getMessage();
        yield message == null ? e.getClass().getSimpleName() : message;
      }
    };
  }
}
