# What the scripts share; to be sourced with `root` set. POSIX tools only.

# Prints the major version of the JDK in a folder, from its release file, or nothing.
jdk_major() {
  [ -x "$1/bin/java" ] && [ -x "$1/bin/javac" ] && [ -r "$1/release" ] || return 0
  sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$1/release"
}

# The JDK's folder behind the `java` on the PATH, symbolic links followed.
jdk_on_path() {
  java_on_path=$(command -v java 2>/dev/null) || return 0
  while [ -L "$java_on_path" ]; do
    link=$(readlink "$java_on_path")
    case $link in
      /*) java_on_path=$link ;;
      *) java_on_path=$(dirname "$java_on_path")/$link ;;
    esac
  done
  (cd -P "$(dirname "$java_on_path")/.." 2>/dev/null && pwd)
}

# Sets JDK to the first JDK that is new enough, or ends the script with what to do.
find_jdk() {
  for candidate in "${INFEROMETER_JAVA_HOME:-}" "${JAVA_HOME:-}" "$(jdk_on_path)" \
    /usr/lib/jvm/* "$HOME"/.sdkman/candidates/java/* /Library/Java/JavaVirtualMachines/*/Contents/Home; do
    [ -n "$candidate" ] || continue
    major=$(jdk_major "$candidate")
    if [ -n "$major" ] && [ "$major" -ge 25 ]; then
      JDK=$candidate
      return 0
    fi
  done
  cat >&2 <<'MESSAGE'
inferometer: needs a JDK, version 25 or newer, and found none (looked at INFEROMETER_JAVA_HOME,
JAVA_HOME, the PATH, /usr/lib/jvm and SDKMAN). To install one:
  Debian, Ubuntu:  sudo apt-get install openjdk-25-jdk-headless
  Fedora:          sudo dnf install java-25-openjdk-devel
  macOS:           brew install openjdk@25
  elsewhere:       curl -s https://get.sdkman.io | bash && sdk install java 25-tem
MESSAGE
  exit 3
}

# Runs Maven with the JDK that was found. Libraries of Maven's own use methods that this JDK warns of.
maven() {
  (
    cd "$root"
    export JAVA_HOME=$JDK MAVEN_OPTS="${MAVEN_OPTS:-} --sun-misc-unsafe-memory-access=allow"
    exec ./mvnw -B "$@"
  )
}

# compare_with_peers MAIN ARGS...: runs a comparison of the benchmarks beside Debian's servers.
compare_with_peers() {
  comparison=org.inferometer.benchmarks.peers.$1
  shift
  find_jdk
  for peer in prometheus victoria-metrics; do
    command -v "$peer" >/dev/null || { echo "needs $peer (Debian package of that name)" >&2; exit 3; }
  done
  "$root/inferometer" --version
  "$JDK/bin/java" -cp "$(ls "$root"/benchmarks/target/inferometer-benchmarks-*.jar | head -n 1):$root/benchmarks/target/lib/*" \
    "$comparison" "$@"
}
