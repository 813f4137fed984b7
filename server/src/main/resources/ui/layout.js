/** Which signals stand where, by name only. What isn't named here still appears, in the fold of its layer. */

/** Alternatives are separated: the first that a service feeds is shown. */
export const OVERVIEW_COLUMNS = [
  {key: 'rate', title: 'QPS', of: ['request_rate']},
  {key: 'ttft', title: 'TTFT P95', of: ['ttft_p95', 'ttft_mean']},
  {key: 'tpot', title: 'TPOT P95', of: ['tpot_p95', 'itl_p95', 'tpot_mean', 'itl_mean']},
  {key: 'errors', title: 'Errors + aborts', of: ['error_share', 'http_5xx_share']},
];

export const OVERVIEW_GAUGES = {
  running: ['running'],
  waiting: ['waiting'],
  kv: ['kv_usage_max', 'kv_usage'],
  tokens: ['output_token_rate'],
};

export const GPU_BARS = ['gpu_util', 'gpu_sm_active', 'gpu_tensor_active', 'gpu_dram_active', 'gpu_memory_share', 'gpu_power_share'];
export const MAX_GPU_BARS = 5;

export const HOST_COLUMNS = [
  ['host_cpu'],
  ['host_memory_share'],
  ['host_disk_busy'],
  ['host_network_receive'],
  ['host_network_transmit'],
];

export const FOUR_NUMBERS = {
  engine: [['request_rate'], ['ttft_p95', 'ttft_mean'], ['tpot_p95', 'itl_p95', 'tpot_mean', 'itl_mean'], ['error_share', 'http_5xx_share']],
  gpu: [['gpu_util'], ['gpu_memory_share'], ['gpu_power'], ['gpu_temperature']],
  host: [['host_cpu'], ['host_memory_share'], ['host_disk_busy'], ['host_network_receive']],
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
  gpu: [['gpu_util'], ['gpu_sm_active'], ['gpu_dram_active'], ['gpu_memory_share'], ['gpu_power'], ['gpu_temperature']],
  host: [['host_cpu', 'host_cpu_core_max'], ['host_memory_share'], ['host_disk_busy'], ['host_network_receive', 'host_network_transmit']],
};

/** Panels that stand in for one of a band where its signals are absent. */
export const STAND_INS = {
  tpot_p50: ['itl_p50', 'itl_p95', 'itl_p99'],
  ttft_p50: ['ttft_mean'],
  finish_rate: ['request_rate'],
};

export const FOLDS = [
  {id: 'stages', title: 'Where the time goes', panels: [['queue_share', 'prefill_share', 'decode_share', 'frontend_share'], ['e2e_p50', 'e2e_p95', 'e2e_p99'], ['prefill_time_p50', 'prefill_time_p95', 'prefill_time_p99'], ['decode_time_p50', 'decode_time_p95', 'decode_time_p99']]},
  {id: 'lengths', title: 'Prompts and answers', panels: [['prompt_length_p50', 'prompt_length_p95'], ['output_length_p50', 'output_length_p95'], ['stop_share', 'completed_share']]},
  {id: 'speculation', title: 'Speculative decoding', panels: [['spec_acceptance_share'], ['spec_acceptance_length'], ['spec_acceptance_by_position']]},
  {id: 'process', title: 'Process', panels: [['process_memory'], ['process_cpu'], ['process_open_fds']]},
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
 * The panels of a band that a service feeds, then nothing: what is absent is left out.
 *
 * @param {string[][]} panels
 * @param {import('./types.js').Service} service
 * @returns {string[][]}
 */
export function fedPanels(panels, service) {
  const fed = new Set(service.signals);
  return panels
    .map((names) => (names.some((name) => fed.has(name)) ? names : STAND_INS[names[0]] ?? names))
    .map((names) => names.filter((name) => fed.has(name)))
    .filter((names) => names.length > 0);
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
