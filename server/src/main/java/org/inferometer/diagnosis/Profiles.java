package org.inferometer.diagnosis;

import java.util.ArrayList;
import java.util.List;
import org.inferometer.diagnosis.world.ServiceWorld;
import org.jspecify.annotations.Nullable;

/** What to start an engine with for a goal, in the engine's words. */
public final class Profiles {
  private Profiles() {}

  /**
   * A profile in the words of an engine.
   *
   * @param goal throughput, latency, memory or balanced
   */
  public record Profile(String goal, String is, List<Line> lines) {
    public Profile {
      lines = List.copyOf(lines);
    }
  }

  /**
   * A flag to set.
   *
   * @param value a number that follows from what was measured, or words
   * @param isMeasured whether it follows from what was measured
   */
  public record Line(String flag, String value, boolean isMeasured, String why, String expect) {}

  /**
   * The profiles of an engine; flags that it hasn't are left out.
   *
   * @param engine its id
   * @param service what was measured, null if nothing was
   */
  public static List<Profile> of(String engine, @Nullable ServiceWorld service) {
    Flags flags = Flags.builtIn();
    List<Profile> profiles = new ArrayList<>();
    for (Flags.Profile profile : flags.profiles()) {
      List<Line> lines = new ArrayList<>();
      for (Flags.Setting setting : profile.settings()) {
        Flags.OfEngine flag = flags.get(setting.flag()).of(engine);
        if (flag != null) {
          lines.add(line(flag, setting, service));
        }
      }
      profiles.add(new Profile(profile.goal(), profile.is(), lines));
    }
    return profiles;
  }

  private static Line line(
      Flags.OfEngine flag, Flags.Setting setting, @Nullable ServiceWorld service) {
    String name = setting.propose();
    var proposal = name == null ? null : Proposals.ALL.get(name);
    String computed = proposal == null || service == null ? "" : proposal.apply(service);
    boolean isMeasured = !computed.isEmpty();
    return new Line(
        flag.flag(),
        isMeasured ? computed : setting.value(),
        isMeasured,
        setting.why(),
        setting.expect());
  }
}
