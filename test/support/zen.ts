import { defaultLimits, type Limits } from '../../workers/engine/limits.js';
import type { Scope, Value } from '../../workers/engine/values.js';

/** The moment at which tests of expressions happen: a Wednesday. */
export const testNow = Date.UTC(2024, 4, 15, 12);

interface ScopeParts {
  readonly data?: Value;
  readonly reference?: Value;
  readonly nodes?: Value;
  readonly env?: Value;
  readonly limits?: Partial<Limits>;
  readonly steps?: number;
  readonly deadline?: number;
}

/** A scope with a frozen clock, and dice that always show the middle. */
export function buildScope(parts: ScopeParts = {}): Scope {
  const {
    data = null,
    reference = null,
    nodes = null,
    env = {},
    limits = {},
    steps = 1_000_000,
    deadline = Infinity,
  } = parts;
  const run = { limits: { ...defaultLimits, ...limits }, steps, deadline, now: () => testNow, random: () => 0.5 };
  return { data, reference, nodes, env, run };
}
