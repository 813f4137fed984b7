#!/usr/bin/env bash
# How long `serve` takes from its start to its first answered query, empty store, JVM start included.
# Prints a table in milliseconds and writes benchmarks/results/startup.json. Runs by STARTUP_RUNS,
# 10 if not set.
set -eu
root=$(cd -P "$(dirname "$0")/.." && pwd)
runs=${STARTUP_RUNS:-10}
results=$root/benchmarks/results/startup.json
. "$root/bin/common.sh"
. "$root/bin/launch.sh"
find_jdk
build_if_needed
port=$((20000 + RANDOM % 20000))

# Microseconds since the epoch, without starting a process.
now() { echo "${EPOCHREALTIME/[.,]/}"; }

# Asks until there is an answer; fails if the server ends before.
await_answer() {
  local server=$1 line
  while kill -0 "$server" 2>/dev/null; do
    if { exec 3<>"/dev/tcp/127.0.0.1/$port"; } 2>/dev/null; then
      printf 'GET /api/v1/query?query=1 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n' >&3
      read -r line <&3 || line=
      exec 3>&-
      case $line in *" 200 "*) return 0 ;; esac
    fi
    sleep 0.005
  done
  return 1
}

# Milliseconds of one start with the flags given.
measure() {
  local started server ended data
  port=$((port + 1))
  data=$(mktemp -d)
  started=$(now)
  "$@" serve 127.0.0.1:1 --data "$data/data" --listen "127.0.0.1:$port" >/dev/null 2>&1 &
  server=$!
  await_answer "$server" || { echo "the server ended before it answered" >&2; exit 1; }
  ended=$(now)
  kill "$server"
  wait "$server" || true
  rm -rf "$data"
  echo $(((ended - started) / 1000))
}

# row NAME COMMAND...: runs it so often and prints the least, the middle and the most.
row() {
  local name=$1 times sorted
  shift
  measure "$@" >/dev/null # the first one reads files that aren't in memory yet
  times=$(for _ in $(seq "$runs"); do measure "$@"; done)
  sorted=$(echo "$times" | sort -n)
  min=$(echo "$sorted" | head -n 1)
  median=$(echo "$sorted" | sed -n "$(((runs + 1) / 2))p")
  max=$(echo "$sorted" | tail -n 1)
  printf '%-44s %6s %6s %6s\n' "$name" "$min" "$median" "$max"
  printf '%s{"flags": "%s", "runs": %s, "minMs": %s, "medianMs": %s, "maxMs": %s}' \
    "$separator" "$name" "$runs" "$min" "$median" "$max" >>"$results"
  separator=",
  "
}

mkdir -p "$(dirname "$results")"
printf '[\n  ' >"$results"
separator=
printf 'start to first answer, ms, %s runs of each%*s\n' "$runs" 0 ''
printf '%-44s %6s %6s %6s\n' '' min median max
row './inferometer' "$root/inferometer"
# shellcheck disable=SC2046
row 'java, all flags' "$JDK/bin/java" $(jvm_flags) -jar "$JAR"
# shellcheck disable=SC2046
row 'java, without the AOT cache' "$JDK/bin/java" $(INFEROMETER_AOT=off jvm_flags) -jar "$JAR"
row 'java, no flags' "$JDK/bin/java" -jar "$JAR"
printf '\n]\n' >>"$results"
