/** What to think of a GPU: how bad it is, what it is called, which series are its own. Only computes. */

/** Errors of the driver after which the GPU, its link or its machine needs somebody. */
const GRAVE = new Set(['reset', 'link', 'node', 'check']);
/** States in which a GPU isn't what holds its users up, though something else is. */
const WORTH_A_LOOK = new Set(['kv-full', 'waiting-for-host']);
const RANKS = {critical: 0, degraded: 1, ok: 3, unknown: 4, idle: 5};

/** @returns {import('./types.js').State} */
export function gpuMark(gpu) {
  if ((gpu.xid && GRAVE.has(gpu.xid.severity)) || gpu.remap_failed > 0) {
    return 'critical';
  }
  const slowed = gpu.reasons.some(({matters}) => matters);
  if (slowed || gpu.xid?.severity === 'watch' || gpu.ecc_uncorrected > 0 || gpu.remap_pending > 0 || WORTH_A_LOOK.has(gpu.state.id)) {
    return 'degraded';
  }
  return gpu.state.id === 'idle' ? 'idle' : gpu.state.id === 'cannot-tell' ? 'unknown' : 'ok';
}

/** Worst first; then those that slow down most, then by place. */
export function worstFirst(gpus) {
  const rank = (gpu) => RANKS[gpuMark(gpu)];
  const busy = (gpu) => gpu.utilisation.gpu_util ?? -1;
  return [...gpus].sort((a, b) => rank(a) - rank(b) || busy(b) - busy(a) || gpuKey(a).localeCompare(gpuKey(b), 'en', {numeric: true}));
}

/** Tells one GPU, or one part of a split one, from all others. */
export function gpuKey(gpu) {
  return [gpu.host ?? gpu.service, gpu.gpu, gpu.uuid, gpu.instance].filter((part) => part !== null && part !== undefined && part !== '').join(' ');
}

/** @returns {string} `node-7 GPU 3`, with the part of a split one */
export function gpuName(gpu) {
  const part = gpu.instance === null || gpu.instance === undefined ? '' : ` part ${gpu.instance}`;
  return `GPU ${gpu.gpu}${part}`;
}

/** Whether a series of the GPU's service is of this GPU. */
export function isOf(gpu, labels) {
  const values = Object.values(labels);
  const own = gpu.uuid ? values.includes(gpu.uuid) : labels.gpu === undefined || labels.gpu === gpu.gpu;
  const part = Object.entries(labels).find(([name]) => name.endsWith('_I_ID'))?.[1] || null;
  return own && (part === null || gpu.instance === null || gpu.instance === undefined || part === gpu.instance);
}

/**
 * What is to be said of all GPUs together.
 *
 * @param {any[]} gpus worst first
 * @returns {string}
 */
export function gpusSentence(gpus) {
  const bad = gpus.filter((gpu) => ['critical', 'degraded'].includes(gpuMark(gpu)));
  if (bad.length === 0 && gpus.length === 1) {
    return `The only GPU: ${gpus[0].state.name}.`;
  }
  if (bad.length === 0) {
    const idle = gpus.filter((gpu) => gpuMark(gpu) === 'idle').length;
    const unknown = gpus.filter((gpu) => gpuMark(gpu) === 'unknown').length;
    const rest = [idle > 0 && `${idle} ${idle === 1 ? 'is' : 'are'} idle`, unknown > 0 && `${unknown} can't be judged`].filter(Boolean);
    return `No trouble is seen on ${gpus.length} GPUs${rest.length > 0 ? `; ${rest.join(', ')}` : ''}.`;
  }
  const first = `${bad[0].host ?? bad[0].service} ${gpuName(bad[0])}: ${troubleOf(bad[0])}`;
  return bad.length === 1 ? `${first}.` : `${bad.length} of ${gpus.length} GPUs need a look. ${first}.`;
}

/** The worst that is known of a GPU, in words without a dot at the end. */
export function troubleOf(gpu) {
  const slowed = gpu.reasons.filter(({matters}) => matters).map(({name}) => name);
  if (gpu.xid && GRAVE.has(gpu.xid.severity)) {
    return `XID ${gpu.xid.code}: ${withoutDot(gpu.xid.says)}`;
  }
  if (gpu.remap_failed > 0) {
    return 'a memory row could not be remapped';
  }
  if (slowed.length > 0) {
    return `slowed by ${slowed.join(', ')}`;
  }
  if (gpu.ecc_uncorrected > 0) {
    return `${gpu.ecc_uncorrected} uncorrected memory errors`;
  }
  return gpu.remap_pending > 0 ? 'a memory row waits for a reset to be remapped' : gpu.xid?.severity === 'watch' ? `XID ${gpu.xid.code}: ${withoutDot(gpu.xid.says)}` : gpu.state.name;
}

function withoutDot(text) {
  return text.replace(/\.$/, '');
}
