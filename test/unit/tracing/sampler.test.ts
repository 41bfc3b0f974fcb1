import { ROOT_CONTEXT, SpanKind, trace, TraceFlags } from '@opentelemetry/api';
import { SamplingDecision } from '@opentelemetry/sdk-trace-node';
import { expect } from 'chai';
import type { SamplerName } from '../../../src/config/tracing.js';
import { samplerOf } from '../../../src/tracing/sampler.js';

const traceId = 'f'.repeat(32);

/** Whether a request is recorded whose caller said so, said no, or said nothing. */
function recorded(name: SamplerName, ratio: number): boolean[] {
  const sampler = samplerOf(name, ratio);
  return [TraceFlags.SAMPLED, TraceFlags.NONE, undefined].map((traceFlags) => {
    const caller = traceFlags !== undefined && { traceId, spanId: '1'.repeat(16), traceFlags, isRemote: true };
    const context = caller ? trace.setSpanContext(ROOT_CONTEXT, caller) : ROOT_CONTEXT;
    return (
      sampler.shouldSample(context, traceId, 'GET', SpanKind.SERVER, {}, []).decision !== SamplingDecision.NOT_RECORD
    );
  });
}

describe('samplerOf', () => {
  const cases: readonly [SamplerName, number, readonly boolean[]][] = [
    ['always_on', 0, [true, true, true]],
    ['always_off', 1, [false, false, false]],
    ['traceidratio', 1, [true, true, true]],
    ['traceidratio', 0, [false, false, false]],
    ['parentbased_always_on', 0, [true, false, true]],
    ['parentbased_always_off', 1, [true, false, false]],
    ['parentbased_traceidratio', 1, [true, false, true]],
    ['parentbased_traceidratio', 0, [true, false, false]],
  ];
  for (const [name, ratio, expected] of cases) {
    it(`${name} ${ratio}`, () => {
      expect(recorded(name, ratio)).to.deep.equal(expected);
    });
  }
});
