# How the jar is built and run; to be sourced after common.sh, with `root` set and JDK found.

TARGET=$root/server/target
JAR=$TARGET/inferometer.jar
AOT=$TARGET/inferometer.aot
LOCK=$root/.build-lock
LOG=$TARGET/build.log

# The JVM's flags; what each one buys is measured in docs/decisions/0008-jvm-flags.md.
jvm_flags() {
  # The serial collector has the smallest footprint below a gigabyte of heap: no remembered sets, no
  # marking threads. Its full pauses stay short because the heap is small and mostly arrays.
  printf '%s ' -XX:+UseSerialGC
  # 8-byte object headers: less heap for the millions of small objects of an index.
  printf '%s ' -XX:+UseCompactObjectHeaders
  # The bound; a small start, so that an idle server stays small, and heap handed back after a burst.
  printf '%s ' "-Xms32m -Xmx${INFEROMETER_HEAP:-512m} -XX:MinHeapFreeRatio=10 -XX:MaxHeapFreeRatio=30"
  # Out of memory despite all limits: better started again by whoever watches than half alive.
  printf '%s ' "-XX:+ExitOnOutOfMemoryError"
  # Whether to use colour.
  if [ -t 1 ]; then
    printf '%s ' "-Dinferometer.terminal=true"
  fi
  # Classes loaded, linked and profiled once after a build: halves the start-up time.
  if [ -f "$AOT" ] && [ "${INFEROMETER_AOT:-on}" != off ]; then
    printf '%s ' "-XX:AOTCache=$AOT -Xlog:disable -Xlog:all=error:stderr"
  fi
  printf '%s ' "${INFEROMETER_JVM_FLAGS:-}"
}

build_is_current() {
  [ -f "$JAR" ] || return 1
  [ -z "$(find "$root/pom.xml" "$root/server/pom.xml" "$root/server/src/main" -newer "$JAR" 2>/dev/null | head -n 1)" ]
}

# Also if it was tried and can't be made with this JDK.
aot_is_current() {
  [ "${INFEROMETER_AOT:-on}" = off ] && return 0
  [ "$AOT.jdk" -nt "$JAR" ] && [ "$(cat "$AOT.jdk" 2>/dev/null)" = "$(jdk_identity)" ]
}

# A cache belongs to one build of one JDK.
jdk_identity() {
  echo "$JDK"
  cat "$JDK/release"
}

build_if_needed() {
  if build_is_current && { aot_is_current || [ ! -w "$root" ]; }; then
    return
  fi
  if [ ! -w "$root" ]; then
    printf 'inferometer: a build is needed, and %s is not writable\n' "$root" >&2
    exit 3
  fi
  take_build_lock
  # Another start may have built meanwhile.
  if ! build_is_current; then
    build_jar
  fi
  if ! aot_is_current; then
    build_aot_cache
  fi
  drop_build_lock
}

build_jar() {
  mkdir -p "$TARGET"
  step "building (once; the first time also downloads libraries)" \
    maven -pl server -Dmaven.test.skip=true -Dspotless.check.skip=true package
  # The build leaves an unchanged jar alone; its time says when it was last found current.
  touch "$JAR"
}

# Without a cache the program still works, only slower to start: so a failure isn't fatal.
build_aot_cache() {
  rm -f "$AOT" "$AOT.jdk"
  step "preparing a fast start" train || rm -f "$AOT"
  jdk_identity >"$AOT.jdk"
}

# A server that answers the questions of a first page view, then stops; the JVM records it.
train() {
  # shellcheck disable=SC2046
  "$JDK/bin/java" $(jvm_flags) "-XX:AOTCacheOutput=$AOT" -jar "$JAR" train
}

# step WHAT COMMAND...: runs a command with its output in the log, and tells that time passes.
step() {
  what=$1
  shift
  printf 'inferometer: %s ' "$what" >&2
  started=$(date +%s)
  "$@" >"$LOG" 2>&1 &
  worker=$!
  trap 'kill "$worker" 2>/dev/null; drop_build_lock; exit 130' INT TERM
  while kill -0 "$worker" 2>/dev/null; do
    sleep 1
    if [ -t 2 ]; then
      printf '.' >&2
    fi
  done
  trap 'drop_build_lock; exit 130' INT TERM
  if wait "$worker"; then
    printf ' done in %s s\n' "$(($(date +%s) - started))" >&2
    return 0
  fi
  printf ' FAILED\n' >&2
  if [ "$what" = "preparing a fast start" ]; then
    return 1
  fi
  grep -E '^\[ERROR\]|Could not|error:' "$LOG" | head -n 20 >&2 || tail -n 20 "$LOG" >&2
  printf 'inferometer: the build failed; the whole log is %s\n' "$LOG" >&2
  drop_build_lock
  exit 3
}

# One build at a time. The lock is a symbolic link to its owner's process id: made in one step by one
# process only, and telling who made it. A lock whose owner is gone is moved aside, then looked at
# again, since another start may have done the same in between.
take_build_lock() {
  told=
  until ln -s "$$" "$LOCK" 2>/dev/null; do
    owner=$(readlink "$LOCK" 2>/dev/null || true)
    if [ -n "$owner" ] && ! kill -0 "$owner" 2>/dev/null; then
      take_over_build_lock "$owner"
      continue
    fi
    [ -n "$told" ] || printf 'inferometer: another start is building; waiting for it\n' >&2
    told=yes
    sleep 1
  done
  trap 'drop_build_lock; exit 130' INT TERM
}

take_over_build_lock() {
  mv "$LOCK" "$LOCK.$$" 2>/dev/null || return 0
  moved=$(readlink "$LOCK.$$")
  rm -f "$LOCK.$$"
  if [ "$moved" != "$1" ]; then
    ln -s "$moved" "$LOCK" 2>/dev/null || true
  fi
}

drop_build_lock() {
  if [ "$(readlink "$LOCK" 2>/dev/null)" = "$$" ]; then
    rm -f "$LOCK"
  fi
  trap - INT TERM
}
