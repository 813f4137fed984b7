/** Which signals stand where, by name only. What isn't named here still appears, in the fold of its layer. */

/**
 * Alternatives with the words that tell them from what the column's title promises; the first that a service feeds is
 * shown.
 */
export const OVERVIEW_COLUMNS = [
  {key: 'rate', title: 'QPS', of: [['request_rate', ''], ['completed_rate', 'completed'], ['request_start_rate', 'arriving']]},
  {key: 'ttft', title: 'TTFT P95', of: [['ttft_p95', ''], ['ttft_mean', 'mean'], ['e2e_p95', 'total, P95'], ['e2e_mean', 'total, mean']]},
  {key: 'tpot', title: 'TPOT P95', of: [['tpot_p95', ''], ['itl_p95', 'ITL'], ['tpot_mean', 'mean'], ['itl_mean', 'ITL, mean'], ['ntpot_p95', 'per token'], ['ntpot_mean', 'per token, mean']]},
  {key: 'errors', title: 'Errors + aborts', of: [['error_share', ''], ['http_5xx_share', 'HTTP 5xx'], ['abort_share', 'aborts']]},
];

export const OVERVIEW_GAUGES = {
  running: ['running'],
  waiting: ['waiting'],
  kv: ['kv_usage_max', 'kv_usage'],
  tokens: ['output_tokens_per_gpu', 'output_token_rate'],
};

/** Said under the number, since the column holds either. */
export const PER_GPU = 'output_tokens_per_gpu';

/** The utilisations that must not be taken for one another; the last is the engine's. */
export const UTILISATIONS = [
  ['gpu_util', 'Busy'],
  ['gpu_sm_active', 'SM'],
  ['gpu_tensor_active', 'Tensor'],
  ['gpu_dram_active', 'DRAM'],
  ['kv_usage', 'KV'],
];

export const GPU_BARS = ['gpu_util', 'gpu_sm_active', 'gpu_tensor_active', 'gpu_dram_active', 'gpu_memory_share', 'gpu_power_share'];
export const MAX_GPU_BARS = 5;

/** The curves of one GPU: a list a panel. */
export const GPU_PANELS = [
  ['gpu_util', 'gpu_sm_active', 'gpu_tensor_active', 'gpu_dram_active'],
  ['gpu_power', 'gpu_power_limit'],
  ['gpu_sm_clock', 'gpu_memory_clock'],
  ['gpu_temperature', 'gpu_memory_temperature'],
  ['gpu_memory_used', 'gpu_memory_total'],
  ['gpu_thermal_violation_share', 'gpu_power_violation_share'],
  ['gpu_throttle'],
  ['gpu_pcie_tx', 'gpu_pcie_rx'],
  ['gpu_nvlink_tx', 'gpu_nvlink_rx'],
];

/** Tables of the overview whose columns are one signal each: alternatives, then the head. */
export const HOST_COLUMNS = [
  [['host_cpu'], 'CPU'],
  [['host_memory_share'], 'Memory'],
  [['host_disk_busy'], 'Disk'],
  [['host_network_receive'], 'Network in'],
  [['host_network_transmit'], 'Network out'],
];

export const CLUSTER_COLUMNS = [
  [['pod_ready', 'container_cpu'], 'Pods ready / CPUs'],
  [['pod_waiting', 'container_memory'], 'Waiting / memory'],
  [['pod_restart_rate', 'container_oom_rate'], 'Restarts / OOM'],
  [['container_cpu_throttled_share'], 'CPU throttled'],
  [['container_memory_share'], 'Memory share'],
];

const FIRST_TOKEN = ['ttft_p95', 'ttft_mean', 'e2e_p95', 'e2e_mean'];
const PER_TOKEN = ['tpot_p95', 'itl_p95', 'tpot_mean', 'itl_mean', 'ntpot_p95', 'ntpot_mean'];
const REQUESTS = ['request_rate', 'completed_rate', 'request_start_rate'];
const FAILURES = ['error_share', 'http_5xx_share', 'abort_share'];

/** Alternatives of each of the four numbers; the first stands there as absent if none is fed. */
export const FOUR_NUMBERS = {
  engine: [REQUESTS, FIRST_TOKEN, PER_TOKEN, FAILURES],
  router: [REQUESTS, FIRST_TOKEN, [...PER_TOKEN, 'waiting', 'running'], FAILURES],
  gpu: [['gpu_util', 'gpu_sm_active'], ['gpu_memory_share', 'gpu_memory_used'], ['gpu_power', 'gpu_energy_rate'], ['gpu_temperature']],
  host: [['host_cpu'], ['host_memory_share'], ['host_disk_busy'], ['host_network_receive', 'host_load']],
  cluster: [],
  other: [],
};

/** The bands of a service's page: a list a panel. */
export const BANDS = {
  request: [
    ['ttft_p50', 'ttft_p95', 'ttft_p99'],
    ['tpot_p50', 'tpot_p95', 'tpot_p99'],
    ['queue_time_p50', 'queue_time_p95', 'queue_time_p99'],
    ['finish_rate'],
    ['prompt_token_rate', 'output_token_rate'],
    ['error_share'],
  ],
  engine: [['running', 'waiting'], ['kv_usage', 'kv_usage_max'], ['preemption_rate'], ['prefix_hit_share'], ['tokens_per_step_p50', 'tokens_per_step_p95'], ['system_efficiency']],
  gpu: [['gpu_util'], ['gpu_sm_active'], ['gpu_tensor_active'], ['gpu_dram_active'], ['gpu_power'], ['gpu_temperature']],
  host: [['host_cpu', 'host_cpu_core_max'], ['host_memory_share'], ['host_disk_busy'], ['host_network_receive', 'host_network_transmit']],
};

/** Panels that stand in for one of a band where its signals are absent, in order. */
export const STAND_INS = {
  ttft_p50: [['ttft_mean'], ['e2e_p50', 'e2e_p95', 'e2e_p99'], ['e2e_mean']],
  tpot_p50: [['itl_p50', 'itl_p95', 'itl_p99'], ['tpot_mean'], ['itl_mean'], ['ntpot_p50', 'ntpot_p95', 'ntpot_p99'], ['ntpot_mean']],
  queue_time_p50: [['queue_time_mean']],
  finish_rate: [['request_rate'], ['completed_rate'], ['request_start_rate']],
  error_share: [['http_5xx_share'], ['abort_share']],
  prefix_hit_share: [['cached_prompt_share'], ['external_prefix_hit_share']],
  tokens_per_step_p50: [['tokens_per_step_mean'], ['step_rate']],
};

/**
 * The folds below the bands. `panels` are curves, a list a panel; `heat` are quantities whose buckets are drawn over
 * time, named by what their quantiles have in common.
 */
export const FOLDS = [
  {id: 'stages', title: 'Where the time goes', panels: [['queue_share', 'prefill_share', 'decode_share', 'frontend_share'], ['e2e_p50', 'e2e_p95', 'e2e_p99'], ['prefill_time_p50', 'prefill_time_p95', 'prefill_time_p99'], ['decode_time_p50', 'decode_time_p95', 'decode_time_p99'], ['queue_time_mean', 'prefill_time_mean', 'decode_time_mean'], ['latency_residual_mean']]},
  {id: 'heat', title: 'First token, prompt and output length over time', panels: [], heat: ['ttft', 'prompt_length', 'output_length']},
  {id: 'lengths', title: 'Prompts and answers', panels: [['prompt_length_p50', 'prompt_length_p95'], ['output_length_p50', 'output_length_p95'], ['stop_share', 'completed_share', 'length_share', 'abort_share'], ['token_io_ratio']]},
  {id: 'cost', title: 'Throughput and cost', panels: [['output_tokens_per_gpu'], ['cost_per_million_output_tokens'], ['goodput_share'], ['goodput'], ['goodput_tokens'], ['completed_rate', 'unsuccessful_rate']]},
  {id: 'batch', title: 'Batching', panels: [['batch_share'], ['step_rate'], ['tokens_per_step_mean'], ['prefill_token_share'], ['itl_spread'], ['stalled']]},
  {id: 'kv', title: 'KV cache', panels: [['kv_capacity_tokens'], ['kv_concurrency'], ['kv_eviction_rate'], ['preemptions_per_request'], ['recompute_share'], ['kv_block_lifetime_p50', 'kv_block_lifetime_p95'], ['kv_idle_before_evict_p50', 'kv_idle_before_evict_p95'], ['kv_reuse_gap_p50', 'kv_reuse_gap_p95']]},
  {id: 'prefix', title: 'Prefix cache', panels: [['prefix_savings_share'], ['cached_prompt_share'], ['external_prefix_hit_share'], ['mm_cache_hit_share']]},
  {id: 'speculation', title: 'Speculative decoding', panels: [['spec_acceptance_share'], ['spec_acceptance_length', 'spec_expected_length', 'spec_draft_length'], ['spec_acceptance_by_position'], ['spec_accepted_rate']]},
  {id: 'lora', title: 'LoRA adapters', panels: [['lora_running', 'lora_waiting', 'lora_slots'], ['lora_slot_share'], ['lora_requests'], ['lora_load_rate']]},
  {id: 'transfer', title: 'KV transfer', panels: [['kv_transfer_time_p50', 'kv_transfer_time_p95'], ['kv_transfer_time_mean'], ['kv_transfer_rate', 'kv_transfer_bandwidth'], ['kv_transfer_bytes_mean'], ['kv_transfer_failure_rate']]},
  {id: 'balance', title: 'Balance over replicas', panels: [['load_imbalance_running'], ['load_imbalance_requests'], ['load_imbalance_tokens'], ['slowest_replica']]},
  {id: 'roofline', title: 'Work of the model', panels: [['flops_utilisation', 'bandwidth_utilisation'], ['arithmetic_intensity'], ['model_flops'], ['model_bytes']]},
  {id: 'process', title: 'Process', panels: [['process_memory'], ['process_memory_growth'], ['process_cpu'], ['process_open_fds'], ['gc_rate'], ['scrape_time']]},
];

/** What replicas are compared by; alternatives, and whether a low value is the bad one. */
export const COMPARED = [
  {key: 'running', title: 'Running', of: ['running', 'request_rate']},
  {key: 'latency', title: 'First token', of: ['ttft_p95', 'ttft_mean', 'e2e_p95', 'e2e_mean', 'tpot_p95', 'itl_p95']},
  {key: 'tokens', title: 'Output tokens', of: ['output_token_rate', 'request_rate'], lowIsBad: true},
  {key: 'kv', title: 'KV cache', of: ['kv_usage']},
];

export const LAYERS = [
  ['request', 'Request'],
  ['engine', 'Engine'],
  ['gpu', 'GPU'],
  ['host', 'Host'],
];

/** The first of some alternatives that a service feeds, or null. */
export function firstFed(alternatives, service) {
  return alternatives.find((name) => service.signals.includes(name)) ?? null;
}

/** Quantiles of one quantity belong on one chart: `ttft_p50` and `ttft_p95` are of `ttft`. */
export function familyOf(name) {
  return name.replace(/_p\d+$/, '');
}

/**
 * What of a list of panels a service feeds, with its stand-ins, and what it doesn't.
 *
 * @param {string[][]} panels
 * @param {import('./types.js').Service} service
 * @returns {{fed: string[][], absent: string[][]}}
 */
export function sortedPanels(panels, service) {
  const has = new Set(service.signals);
  const fed = [];
  const absent = [];
  for (const names of panels) {
    const chosen = [names, ...(STAND_INS[names[0]] ?? [])].map((list) => list.filter((name) => has.has(name))).find((list) => list.length > 0);
    if (chosen === undefined) {
      absent.push(names);
    } else if (!fed.some((other) => other[0] === chosen[0])) {
      fed.push(chosen);
    }
  }
  return {fed, absent};
}

/** The panels of a list that a service feeds. @returns {string[][]} */
export function fedPanels(panels, service) {
  return sortedPanels(panels, service).fed;
}

/** The quantity's quantile that a service feeds and whose buckets are there, the middle one first; or null. */
export function bucketSignal(base, service) {
  return firstFed(['p95', 'p50', 'p90', 'p99'].map((quantile) => `${base}_${quantile}`), service);
}

/**
 * What a service feeds beyond the panels given, a list a family, in the vocabulary's order.
 *
 * @param {import('./types.js').Service} service
 * @param {string[][]} shown
 * @param {import('./types.js').Signal[]} vocabulary
 * @param {string} layer
 * @returns {string[][]}
 */
export function remaining(service, shown, vocabulary, layer) {
  const fed = new Set(service.signals);
  const taken = new Set(shown.flat());
  const families = new Map();
  for (const {name, layer: at} of vocabulary) {
    if (at === layer && fed.has(name) && !taken.has(name)) {
      const family = familyOf(name);
      families.set(family, [...(families.get(family) ?? []), name]);
    }
  }
  return [...families.values()];
}
