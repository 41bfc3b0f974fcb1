import {
  fromJson,
  rowsIn,
  stringify,
  type EngineErrorCode,
  type Outcome,
  type Program,
  type Trace,
  type Value,
  type ValueObject,
} from '../engine/index.js';
import { isObject } from '../engine/zen/values/kinds.js';
import { own, setAt, shallowCopy } from '../engine/zen/values/objects.js';
import type { Deadline } from './deadline.js';
import type { Field } from './fields.js';
import { outcomeOf, type Seen, type Write } from './witness.js';

/** A fact, and what a run of it reached. */
export interface Candidate {
  readonly fact: ValueObject;
  readonly result: Value;
  /** `node`, `node row 3`, `node no row`, `node statement id`. */
  readonly reached: readonly string[];
}

/** A fact that reached something for the first time. */
export interface Explored extends Candidate {
  readonly trace: Trace;
}

/** A fact whose fields are all there, and of the kinds that the model expects, on which a node failed. */
export interface Failure {
  readonly nodeId: string;
  /** The node's name. */
  readonly node: string;
  readonly fact: ValueObject;
  readonly input: Value;
  readonly message: string;
}

export interface Exploration {
  readonly explored: readonly Explored[];
  /** Facts that came through the model on different ways, the explored ones among them. */
  readonly pool: readonly Candidate[];
  /** One for each node. */
  readonly failures: readonly Failure[];
}

interface SearchLimits {
  readonly fields: readonly Field[];
  /** Facts to begin with: those of the model's tests, and what its tables tell apart, to which the other fields are added. */
  readonly tests: readonly ValueObject[];
  readonly seeds: readonly ValueObject[];
  readonly runs: number;
  readonly until: Deadline;
  /** Is told of each run that completed. */
  readonly onResult: (fact: ValueObject, seen: Seen) => void;
}

export const rowElement = (nodeId: string, row: number): string => `${nodeId} row ${row}`;
const noRowElement = (nodeId: string): string => `${nodeId} no row`;
export const statementElement = (nodeId: string, statement: string): string => `${nodeId} statement ${statement}`;

/**
 * Looks for facts that reach as much of a model as can be found: facts that reached something new are changed further, in one
 * to three fields, to values that the model compares with. The same model gives the same facts.
 */
export async function explore(
  program: Program,
  { fields, tests, seeds, runs, until, onResult }: SearchLimits,
): Promise<Exploration> {
  const seen = new Set<string>();
  const explored: Explored[] = [];
  const pool = new Pool();
  const failures = new Map<string, Failure>();
  const random = sequence();
  let length = 0;
  const attempt = async (fact: ValueObject): Promise<void> => {
    const outcome = await outcomeOf(program, fact, until);
    if (outcome.status === 'FAILED') {
      note(failures, outcome, { fact, fields });
      return;
    }
    const { result, trace = {} } = outcome;
    onResult(fact, { result, trace });
    const reached = elementsIn(trace);
    pool.add({ fact, result, reached });
    if (reached.every((element) => seen.has(element))) return;
    for (const element of reached) seen.add(element);
    explored.push({ fact, result, trace, reached });
    length += stringify(trace).length;
  };
  const isOver = (): boolean => until.isOver() || length > maxLength;
  const first = laidOver(
    {},
    fields.map(({ path, values }) => ({ path, value: values[0] ?? null })),
  );
  for (const fact of [...tests, first, {}]) if (!isOver()) await attempt(fact);
  for (const seed of seeds) {
    if (isOver()) break;
    const writes = Object.entries(seed).map(([key, value]) => ({ path: [key], value }));
    await attempt(laidOver(first, writes));
  }
  for (let run = 0; run < runs && !isOver(); run++) {
    const base = explored[Math.floor(random() ** 0.5 * explored.length)]?.fact ?? {};
    await attempt(changed(base, fields, random));
  }
  return { explored, pool: pool.candidates, failures: [...failures.values()] };
}

/** One fact for each way through a model and each of a few results of it. */
class Pool {
  readonly candidates: Candidate[] = [];
  readonly #ways = new Set<string>();
  #length = 0;

  add(candidate: Candidate): void {
    const way = `${candidate.reached.join(' ')} ${stringify(candidate.result)}`;
    if (this.#ways.has(way) || this.candidates.length >= mostCandidates || this.#length > maxLength) return;
    this.#ways.add(way);
    this.#length += way.length + stringify(candidate.fact).length;
    this.candidates.push(candidate);
  }
}

const mostCandidates = 400;

/** Characters of all traces that are kept. */
const maxLength = 16 * 1024 * 1024;
/** Characters of a test's input; larger ones are not tried. */
const maxFactLength = 64 * 1024;

/** What an expression does, and not a limit, a function or a missing decision. */
const ofExpressions = new Set<EngineErrorCode>(['type_error', 'syntax_error', 'unknown_function']);

/** Notes the first failure of each node of the model itself: nodes of decisions that it calls may have the same ids. */
function note(
  failures: Map<string, Failure>,
  { error, message, trace = {} }: Outcome & { readonly status: 'FAILED' },
  { fact, fields }: { readonly fact: ValueObject; readonly fields: readonly Field[] },
): void {
  const { nodeId, code } = error;
  if (nodeId === undefined || failures.has(nodeId) || !ofExpressions.has(code)) return;
  const node = Object.hasOwn(trace, nodeId) ? trace[nodeId] : undefined;
  if (node?.error === undefined) return;
  if (!fields.every(({ path, isOfType }) => isOfType(path.reduce<Value>(own, fact)))) return;
  failures.set(nodeId, { nodeId, node: node.name, fact, input: node.input, message });
}

/** Facts of the model's own tests. */
export function testedFacts(document: unknown): ValueObject[] {
  const tests = own(document as Value, 'tests');
  return (Array.isArray(tests) ? tests : [])
    .map((test) => own(test, 'input'))
    .filter((input) => isObject(input) && JSON.stringify(input).length < maxFactLength)
    .map((input) => fromJson(input) as ValueObject);
}

function changed(base: ValueObject, fields: readonly Field[], random: () => number): ValueObject {
  const fact = shallowCopy(base);
  const count = 1 + Math.floor(random() * 3);
  for (let change = 0; change < count; change++) {
    const field = fields[Math.floor(random() * fields.length)];
    if (field !== undefined) setAt(fact, field.path, field.values[Math.floor(random() * field.values.length)] ?? null);
  }
  return fact;
}

/** A copy of a fact with other values in it. */
export function laidOver(base: ValueObject, writes: readonly Write[]): ValueObject {
  const fact = shallowCopy(base);
  for (const { path, value } of writes) setAt(fact, path, value);
  return fact;
}

export function elementsIn(trace: Trace): string[] {
  const elements: string[] = [];
  for (const [nodeId, { traceData }] of Object.entries(trace)) {
    elements.push(nodeId);
    const rows = rowsIn(traceData ?? null);
    elements.push(...rows.map((row) => rowElement(nodeId, row)));
    if (rows.length === 0) elements.push(noRowElement(nodeId));
    const statements = own(traceData ?? null, 'statements');
    for (const statement of Array.isArray(statements) ? statements : []) {
      const id = own(statement, 'id');
      if (typeof id === 'string') elements.push(statementElement(nodeId, id));
    }
  }
  return elements;
}

/** Numbers in [0, 1), always the same ones (a linear congruential generator, Numerical Recipes). */
function sequence(): () => number {
  let state = 1;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
