import {
  compile,
  rowsIn,
  type Outcome,
  type Program,
  type Trace,
  type Value,
  type ValueObject,
} from '../engine/index.js';
import { isObject } from '../engine/zen/values/kinds.js';
import { own, setKey } from '../engine/zen/values/objects.js';
import type { Deadline } from './deadline.js';
import type { Dimension } from './dimension.js';

/** A fact with these values: dates are texts there. Undefined as of `inputOf`. */
export const factOf = (dimensions: readonly Dimension[], point: readonly (number | null)[]): ValueObject | undefined =>
  inputOf(dimensions, point, (dimension, atom) => dimension.factValueOf(atom));

/** The input of a node with these values; undefined where a value cannot be set: it is computed, or two paths contradict. */
export function inputOf(
  dimensions: readonly Dimension[],
  point: readonly (number | null)[],
  written: (dimension: Dimension, atom: number) => Value = (dimension, atom) => dimension.inputValueOf(atom),
): ValueObject | undefined {
  const input: ValueObject = {};
  const order = [...dimensions.keys()].sort(
    (one, other) => (dimensions[one]?.path?.length ?? 0) - (dimensions[other]?.path?.length ?? 0),
  );
  for (const index of order) {
    const dimension = dimensions[index];
    const atom = point[index] ?? null;
    if (dimension === undefined || atom === null) continue;
    const value = written(dimension, atom);
    if (dimension.path === null || dimension.atoms[atom]?.kind === 'failed') return undefined;
    if (value !== null && !setPath(input, dimension.path, value)) return undefined;
  }
  return input;
}

/** A value at a place of a fact. */
export interface Write {
  readonly path: readonly string[];
  readonly value: Value;
}

/** The same as values to be laid over another fact, without what is computed. */
export const writesOf = (dimensions: readonly Dimension[], point: readonly (number | null)[]): Write[] =>
  dimensions.flatMap((dimension, at): Write[] => {
    const atom = point[at] ?? null;
    return dimension.path === null || atom === null
      ? []
      : [{ path: dimension.path, value: dimension.factValueOf(atom) }];
  });

function setPath(target: ValueObject, path: readonly string[], value: Value): boolean {
  let at = target;
  for (const key of path.slice(0, -1)) {
    if (!Object.hasOwn(at, key)) setKey(at, key, {});
    const next = own(at, key);
    if (!isObject(next)) return false;
    at = next;
  }
  const last = path.at(-1) ?? '';
  if (Object.hasOwn(at, last)) return false;
  setKey(at, last, value);
  return true;
}

/** What a run showed. */
export interface Seen {
  readonly result: Value;
  readonly trace: Trace;
}

/** A table by itself, without what its node does around it. */
export function tableProgram(content: Readonly<Record<string, unknown>>): Program {
  const { inputField: _, outputPath: __, executionMode: ___, passThrough: ____, ...bare } = content;
  const nodes = [
    { id: 'input', type: 'inputNode', name: 'input', content: {} },
    { id: 'table', type: 'decisionTableNode', name: 'table', content: bare },
  ];
  const edges = [{ id: 'edge', sourceId: 'input', targetId: 'table' }];
  return compile({ nodes, edges }, { resolve: () => undefined });
}

/** Runs a program on an input; undefined where it failed. */
export async function runOn(program: Program, input: Value, until: Deadline): Promise<Seen | undefined> {
  const outcome = await outcomeOf(program, input, until);
  return outcome.status === 'FAILED' ? undefined : { result: outcome.result, trace: outcome.trace ?? {} };
}

/** The same, also where it failed. */
export const outcomeOf = async (
  program: Program,
  input: Value,
  until: Deadline,
  select?: readonly string[],
): Promise<Outcome> =>
  program.run(input, {
    ...(select === undefined ? {} : { select }),
    env: {},
    trace: true,
    now: 0,
    random: () => 0,
    deadline: Math.min(performance.now() + runMs, until.at),
  });

/** Milliseconds that one run may take. */
const runMs = 1000;

/** What a trace shows of a table: its input and its rows, of each call where DMN called it several times. */
export function callsIn(trace: Trace, nodeId: string): { readonly input: Value; readonly rows: readonly number[] }[] {
  const node = Object.hasOwn(trace, nodeId) ? trace[nodeId] : undefined;
  if (node === undefined) return [];
  const { input, traceData } = node;
  const isCalled = Array.isArray(traceData) && Array.isArray(own(traceData[0] ?? null, 'rules'));
  if (!isCalled || !Array.isArray(input)) return [{ input: input ?? null, rows: rowsIn(traceData ?? null) }];
  return traceData.map((data, call) => ({ input: input[call] ?? null, rows: rowsIn(data) }));
}
