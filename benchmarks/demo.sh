#!/usr/bin/env bash
# How long `demo` takes from its start until there is a chart to be seen: a service of an engine, and
# a signal of it that has values from the beginning of the half hour to its end. On a built checkout.
# Prints a table in milliseconds and writes benchmarks/results/demo.json. Runs by DEMO_RUNS, 3 if
# not set.
set -eu
root=$(cd -P "$(dirname "$0")/.." && pwd)
runs=${DEMO_RUNS:-3}
results=$root/benchmarks/results/demo.json
. "$root/bin/common.sh"
. "$root/bin/launch.sh"
find_jdk
build_if_needed
port=$((20000 + RANDOM % 20000))

# Microseconds since the epoch, without starting a process.
now() { echo "${EPOCHREALTIME/[.,]/}"; }

# ask METHOD PATH BODY: the answer's body.
ask() {
  curl -s -m 10 -X "$1" -H 'Content-Type: application/json' ${3:+-d "$3"} "http://127.0.0.1:$port$2" || true
}

# Whether the first token's time of the vLLM service is known since 25 minutes ago.
has_chart() {
  local end answer
  ask GET /api/v1/services | grep -q '"id":"vllm/qwen3-32b"' || return 1
  end=$(($(now) / 1000000))
  answer=$(ask POST /api/v1/signals/query "{\"start\":$((end - 1500)),\"end\":$end,\"step\":60,\"requests\":[{\"service\":\"vllm/qwen3-32b\",\"signals\":[\"ttft_p95\"]}]}")
  case $answer in
    *'"values":[null'* | *'"values":[]'*) return 1 ;;
    *'"values":['*) return 0 ;;
    *) return 1 ;;
  esac
}

# Milliseconds of one start: until the page answers, until there is a chart.
measure() {
  local started page= chart server
  port=$((port + 1))
  started=$(now)
  "$root/inferometer" demo --no-open --listen "127.0.0.1:$port" >/dev/null 2>&1 &
  server=$!
  while kill -0 "$server" 2>/dev/null; do
    if [ -z "$page" ] && [ -n "$(ask GET /)" ]; then
      page=$((($(now) - started) / 1000))
    fi
    if [ -n "$page" ] && has_chart; then
      chart=$((($(now) - started) / 1000))
      kill "$server"
      wait "$server" || true
      echo "$page $chart"
      return 0
    fi
    sleep 0.05
  done
  echo "the demo ended before there was a chart" >&2
  exit 1
}

mkdir -p "$(dirname "$results")"
printf '[\n  ' >"$results"
separator=
printf '%-6s %8s %8s\n' run 'page' 'chart'
for run in $(seq "$runs"); do
  read -r page chart <<<"$(measure)"
  printf '%-6s %8s %8s\n' "$run" "$page" "$chart"
  printf '%s{"pageMs": %s, "chartMs": %s}' "$separator" "$page" "$chart" >>"$results"
  separator=",
  "
done
printf '\n]\n' >>"$results"
