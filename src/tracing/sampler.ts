import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  type Sampler,
} from '@opentelemetry/sdk-trace-node';
import type { SamplerName } from '../config/tracing.js';

/** As the specification of OpenTelemetry names them. `parentbased_…`: the caller's own decision goes first. */
export function samplerOf(name: SamplerName, ratio: number): Sampler {
  const [root = name, parentBased] = name.startsWith('parentbased_') ? [name.slice('parentbased_'.length), true] : [];
  const sampler = rootSampler(root, ratio);
  return parentBased ? new ParentBasedSampler({ root: sampler }) : sampler;
}

function rootSampler(name: string, ratio: number): Sampler {
  if (name === 'always_on') return new AlwaysOnSampler();
  if (name === 'always_off') return new AlwaysOffSampler();
  return new TraceIdRatioBasedSampler(ratio);
}
