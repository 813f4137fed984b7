package org.inferometer.acceptance.ui;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.ConsoleMessage;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Pattern;

/** One window: its page, and what the page complained about. */
final class Screen implements AutoCloseable {
  private static final Path SCREENSHOTS = Path.of("target", "screenshots");
  private static final int HEIGHT = 900;
  private static final int HIGHEST = 9000;

  /** Routes that are asked whether they are there, and whether a text is right. */
  private static final Pattern PROBES =
      Pattern.compile("/api/v1/(?:query_batch|query_explain|parse_query|format_query)");

  /** What a screen reader would stumble over, and text below a contrast of 4.5 to its ground. */
  private static final String AUDIT =
      """
      () => {
        const faults = [];
        const nameOf = (node) => (node.getAttribute('aria-label') || node.textContent || node.title || '').trim();
        const seen = (node) => node.offsetParent !== null;
        document.querySelectorAll('button, a[href], summary').forEach((node) =>
          seen(node) && nameOf(node) === '' && faults.push('no name: ' + node.outerHTML.slice(0, 120)));
        document.querySelectorAll('input, select, textarea').forEach((node) =>
          seen(node) && !node.getAttribute('aria-label') && !node.labels?.length && faults.push('no label: ' + node.outerHTML.slice(0, 120)));
        document.querySelectorAll('[role=img], [role=region], progress').forEach((node) =>
          seen(node) && !node.getAttribute('aria-label') && faults.push('no description: ' + node.outerHTML.slice(0, 120)));
        const ids = [...document.querySelectorAll('[id]')].map((node) => node.id);
        ids.filter((id, i) => ids.indexOf(id) !== i).forEach((id) => faults.push('id twice: ' + id));
        const rgb = (text) => text.match(/[\\d.]+/g).map(Number);
        const light = ([r, g, b]) => [r, g, b].map((value) => value / 255).map((value) =>
          value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4)
          .reduce((sum, value, i) => sum + value * [0.2126, 0.7152, 0.0722][i], 0);
        const ground = (node) => {
          for (let at = node; at; at = at.parentElement) {
            const colour = rgb(getComputedStyle(at).backgroundColor);
            if (colour.length < 4 || colour[3] === 1) return colour;
          }
          return [255, 255, 255];
        };
        const walker = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT);
        const told = new Set();
        while (walker.nextNode()) {
          const node = walker.currentNode.parentElement;
          if (walker.currentNode.data.trim() === '' || !seen(node) || node.closest('textarea, .under, :disabled')) continue;
          const [a, b] = [light(rgb(getComputedStyle(node).color)), light(ground(node))].sort((x, y) => y - x);
          const ratio = (a + 0.05) / (b + 0.05);
          if (ratio < 4.5 && !told.has(node.className)) {
            told.add(node.className);
            faults.push('contrast ' + ratio.toFixed(2) + ': ' + node.outerHTML.slice(0, 120));
          }
        }
        return faults;
      }""";

  private final BrowserContext context;
  private final Page page;
  private final Theme theme;
  private final int width;
  private final List<String> complaints = new CopyOnWriteArrayList<>();

  Screen(Browser browser, Theme theme, int width) {
    this.theme = theme;
    this.width = width;
    context =
        browser.newContext(
            new Browser.NewContextOptions()
                .setViewportSize(width, HEIGHT)
                .setColorScheme(theme.scheme));
    page = context.newPage();
    page.setDefaultTimeout(20_000);
    page.onConsoleMessage(
        message -> {
          boolean bad = message.type().equals("error") || message.type().equals("warning");
          if (bad && !isRefusedProbe(message)) {
            complaints.add(message.text());
          }
        });
    page.onPageError(complaints::add);
    page.onDialog(
        dialog -> {
          complaints.add("dialog: " + dialog.message());
          dialog.dismiss();
        });
  }

  /** The browser's own line about a status of 400 or 404, which is an answer here. */
  private static boolean isRefusedProbe(ConsoleMessage message) {
    return message.text().matches("Failed to load resource: .*status of 40[04] .*")
        && PROBES.matcher(message.location()).find();
  }

  Page page() {
    return page;
  }

  /** What a function that a module of the pages exports returns. */
  Object call(String module, String function, Object... arguments) {
    return page.evaluate(
        "async ([module, name, args]) => (await import('/ui/' + module))[name](...args)",
        List.of(module, function, List.of(arguments)));
  }

  Locator find(String selector) {
    return page.locator(selector);
  }

  /** Opens an address and waits until the page has drawn what it shows. */
  Screen open(String url, String ready) {
    page.navigate(url);
    page.waitForSelector(ready);
    return this;
  }

  /** Keeps a picture of the whole page for people to look at. */
  void photograph(String name) {
    String file = "%s-%s-%d.png".formatted(name, theme.name().toLowerCase(Locale.ROOT), width);
    int whole = (Integer) page.evaluate("document.documentElement.scrollHeight");
    page.setViewportSize(width, Math.clamp(whole, HEIGHT, HIGHEST));
    page.waitForFunction(
        "() => [...document.querySelectorAll('.plot:not(.absent)')].every((plot) => plot.offsetParent"
            + " === null || plot.querySelector('canvas'))");
    page.screenshot(
        new Page.ScreenshotOptions().setPath(SCREENSHOTS.resolve(file)).setFullPage(true));
  }

  void press(String... keys) {
    for (String key : keys) {
      page.keyboard().press(key);
    }
  }

  /** The path and query of where it is. */
  String place() {
    return page.url().replaceFirst("^http://[^/]+", "");
  }

  /** Awaits all that the page loads, keeps a picture, and fails if anything is wrong with it. */
  void assertWellMade(String name) {
    page.waitForFunction("() => !document.querySelector('main').hasAttribute('data-loading')");
    assertFits();
    assertAccessible();
    photograph(name);
    assertCalm();
  }

  /** Fails if the console or an uncaught error had something to say. */
  void assertCalm() {
    assertThat(complaints).isEmpty();
  }

  /** Fails if the page is wider than its window. */
  void assertFits() {
    assertThat(page.evaluate("document.documentElement.scrollWidth <= innerWidth"))
        .as("%s fits into %d pixels", place(), width)
        .isEqualTo(true);
  }

  /** Fails if something that can be used has no name, an id stands twice or text is too faint. */
  void assertAccessible() {
    assertThat((List<?>) page.evaluate(AUDIT)).as("%s, %s", place(), theme).isEmpty();
  }

  void forgetComplaints() {
    complaints.clear();
  }

  @Override
  public void close() {
    context.close();
  }
}
