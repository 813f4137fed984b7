package org.inferometer.signals;

/** Why a target doesn't feed a signal, by what would change it. */
public enum Absence {
  /** A flag or setting switches it on. */
  SETTING,
  /** Another release has it. */
  RELEASE,
  /** It shows once there is traffic, or once the feature is used. */
  TRAFFIC,
  /** The engine has nothing like it, in any release. */
  ENGINE,
  /** A fact about the deployment has to be told, such as the number of GPUs. */
  FACT,
  /** It is there in part, cut off or broken. */
  BROKEN
}
