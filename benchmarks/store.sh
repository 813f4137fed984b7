#!/usr/bin/env bash
# What keeping samples on disk costs ours, Prometheus and VictoriaMetrics: bytes, CPU, memory, replay
# after kill -9, queries over blocks (StoreComparison).
# Size by PEERS_SIZE: short (two and six hours of 10 replicas, some four minutes), standard (24 hours
# of 30 replicas, about fifteen minutes, what the docs quote).
set -eu
root=$(cd -P "$(dirname "$0")/.." && pwd)
. "$root/bin/common.sh"
size=${PEERS_SIZE:-standard}
[ "$size" = full ] && size=standard
compare_with_peers StoreComparison "$root" "$root/benchmarks/results/store.json" "$size"
