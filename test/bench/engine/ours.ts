import { pathToFileURL } from 'node:url';
import type * as Engine from '../../../workers/engine/index.js';
import type { Program, Value } from '../../../workers/engine/index.js';
import { median } from '../numbers.js';

export interface OurTimes {
  /** Microseconds for a run. */
  readonly plain: number;
  readonly traced: number;
  readonly compileMs: number;
}

/** The entry of another version's engine, where one is measured in place of this version's. */
const entry = process.env['ENGINE'];
const { compile, createSandbox } = (await import(
  entry === undefined ? '../../../workers/engine/index.js' : pathToFileURL(entry).href
)) as typeof Engine;

const sandbox = createSandbox();
const given = { now: Date.now(), random: Math.random, deadline: Infinity, plainFact: true };

export function programOf(model: unknown): Program {
  return compile(model, { resolve: () => undefined, sandbox });
}

/** Times of a program on facts that are taken in turn. */
export async function measureOurs(model: unknown, facts: readonly unknown[], milliseconds: number): Promise<OurTimes> {
  const compileMs = compileTime(model);
  const program = programOf(model);
  const values = facts as readonly Value[];
  for (const trace of [false, true]) await repeat(program, values, { trace, milliseconds: milliseconds / 2 });
  const plain = await repeat(program, values, { trace: false, milliseconds });
  const traced = await repeat(program, values, { trace: true, milliseconds });
  return { plain, traced, compileMs };
}

/** Median of some compilations, milliseconds. */
function compileTime(model: unknown): number {
  const times = Array.from({ length: 7 }, () => {
    const started = performance.now();
    programOf(model);
    return performance.now() - started;
  });
  return median(times);
}

const batch = 64;

/** Microseconds for a run: the median of batches. */
export async function repeat(
  program: Program,
  facts: readonly Value[],
  { trace, milliseconds }: { readonly trace: boolean; readonly milliseconds: number },
): Promise<number> {
  const times: number[] = [];
  const until = performance.now() + milliseconds;
  const size = program.async ? 4 : batch;
  const options = { ...given, trace };
  do {
    const started = performance.now();
    for (let turn = 0; turn < size; turn++) {
      const outcome = program.run(facts[turn % facts.length] ?? null, options);
      if (outcome instanceof Promise) await outcome;
    }
    times.push(((performance.now() - started) / size) * 1000);
  } while (performance.now() < until);
  return median(times);
}
