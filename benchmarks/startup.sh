#!/usr/bin/env bash
# Seconds from the start of `serve` to its first answered query, empty store, with and without the
# AOT cache. Runs by STARTUP_RUNS (default 10) each, in turn. Needs curl.
set -eu
root=$(cd -P "$(dirname "$0")/.." && pwd)
runs=${STARTUP_RUNS:-10}
"$root/inferometer" --version >/dev/null
port=$((20000 + $$ % 10000))
empty=$(mktemp)
printf 'scrape_configs: []\n' >"$empty"

# once AOT: prints seconds and the resident set in MiB.
once() {
  start=$(date +%s%N)
  INFEROMETER_AOT=$1 "$root/inferometer" serve --config "$empty" --listen "127.0.0.1:$port" >/dev/null 2>&1 &
  pid=$!
  until curl -sf "http://127.0.0.1:$port/api/v1/query?query=1" >/dev/null; do
    kill -0 "$pid" || exit 3
    sleep 0.005
  done
  end=$(date +%s%N)
  rss=$(awk '/^VmRSS/ {print $2 / 1024}' "/proc/$pid/status")
  kill "$pid"
  wait "$pid" || true
  awk -v ns=$((end - start)) -v rss="$rss" 'BEGIN {printf "%.3f %.1f\n", ns / 1e9, rss}'
}

with=$(mktemp)
without=$(mktemp)
for _ in $(seq "$runs"); do
  once on >>"$with"
  once off >>"$without"
done

# row FLAGS FILE: one JSON object.
row() {
  sort -n "$2" | awk -v flags="$1" '
    {seconds[NR] = $1; rss += $2}
    END {
      printf "{\"flags\": \"%s\", \"runs\": %d, \"minSeconds\": %s, \"medianSeconds\": %s, \"maxSeconds\": %s, \"rssMib\": %.1f}",
        flags, NR, seconds[1], seconds[int((NR + 1) / 2)], seconds[NR], rss / NR
    }'
}
mkdir -p "$root/benchmarks/results"
{
  printf '[\n  '
  row "with the AOT cache" "$with"
  printf ',\n  '
  row "without" "$without"
  printf '\n]\n'
} | tee "$root/benchmarks/results/startup.json"
rm -f "$with" "$without" "$empty"
