package org.inferometer.acceptance.ui;

import java.io.IOException;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** Hands one site, one demonstration and one browser to all tests of the run. */
final class SiteExtension implements ParameterResolver {
  private static final ExtensionContext.Namespace NAMESPACE =
      ExtensionContext.Namespace.create(SiteExtension.class);

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    Class<?> type = parameter.getParameter().getType();
    return type == Site.class || type == DemoSite.class || type == Chromium.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    ExtensionContext.Store store = context.getRoot().getStore(NAMESPACE);
    Class<?> type = parameter.getParameter().getType();
    if (type == Chromium.class) {
      return store.computeIfAbsent("chromium", key -> new Chromium(), Chromium.class);
    }
    return type == DemoSite.class
        ? store.computeIfAbsent("demo", key -> new DemoSite(), DemoSite.class)
        : store.computeIfAbsent("site", key -> newSite(), Site.class);
  }

  private static Site newSite() {
    try {
      return new Site();
    } catch (IOException | InterruptedException e) {
      throw new AssertionError("the site did not start: " + e.getMessage(), e);
    }
  }
}
