package org.inferometer.acceptance.ui;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Playwright;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Assumptions;

/** Debian's Chromium without a window. */
final class Chromium implements AutoCloseable {
  private static final Path EXECUTABLE = Path.of("/usr/bin/chromium");

  private final Playwright playwright;
  private final Browser browser;

  /** Without an installed Chromium the test is skipped with one line, but fails in CI. */
  Chromium() {
    if (!Files.isExecutable(EXECUTABLE)) {
      String message = "needs " + EXECUTABLE + " (Debian package chromium)";
      if (Boolean.parseBoolean(System.getenv("CI"))) {
        Assertions.fail(message);
      }
      Assumptions.abort(message);
    }
    playwright =
        Playwright.create(
            new Playwright.CreateOptions().setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")));
    browser =
        playwright
            .chromium()
            .launch(
                new BrowserType.LaunchOptions()
                    .setExecutablePath(EXECUTABLE)
                    .setArgs(
                        List.of(
                            "--no-sandbox",
                            "--disable-gpu",
                            "--disable-quic",
                            "--no-first-run",
                            "--disable-background-networking",
                            "--disable-component-update",
                            "--disable-sync")));
  }

  /** A new window with nothing remembered. */
  Screen screen(Theme theme, int width) {
    return new Screen(browser, theme, width);
  }

  @Override
  public void close() {
    browser.close();
    playwright.close();
  }
}
