import type { Limits } from './limits.js';
import type { Decimal } from './zen/values/decimal.js';

/**
 * A value of the engine. Numbers are decimals (ZEN): a plain JavaScript number stands for the decimal that its shortest
 * text names, and is used wherever that is exact (integers in the safe range; decimals of at most 15 significant
 * digits); everything else is a `Decimal`. Other classes (dates, intervals) are opaque `ZenObject`s with a JSON form.
 * Objects come from JSON.parse and may have any own key, `__proto__` included: read only own keys, write with
 * `defineProperty` semantics where the key is not known to be harmless. Values are shared (facts, constants of a
 * program): code changes only containers that it made itself.
 */
export type Value = null | boolean | number | string | Decimal | ZenObject | Value[] | ValueObject;
export interface ValueObject {
  [key: string]: Value;
}

/** A value that is not JSON by itself, such as a date made by `d(…)`. `toJSON` gives its form in results and traces. */
export interface ZenObject {
  readonly zenType: 'date' | 'interval';
  toJSON(): string;
}

/** What is common to all expressions of one run. One object a run, mutated in place. */
export interface RunState {
  readonly limits: Limits;
  /** Steps left before `limit_steps`; every loop round, closure call and cell counts. */
  steps: number;
  /** Items made so far, as `limits.madeItems` counts them; absent before the first. */
  made?: number;
  /** `performance.now()` after which the run is over; looked at every few thousand steps. Infinity for none. */
  readonly deadline: number;
  /** Milliseconds since the epoch; injected, so that tests freeze it. */
  readonly now: () => number;
  readonly random: () => number;
  /** Is told which variables of the environment the run reads; absent where there are none. */
  readonly variableReads?: VariableReads | undefined;
}

/** Is told which variables a run reads, before it gets their values. */
export interface VariableReads {
  readonly noteRead: (name: string) => void;
  /** Of all variables: the environment as a whole was read. */
  readonly noteAllRead: () => void;
}

/** What an expression sees. */
export interface Scope {
  /** Identifiers resolve to own keys of it (null when absent or when it is no object); `$root` is all of it. */
  data: Value;
  /** `$`: the cell's field value in unary tests, the results so far in expression nodes. */
  reference: Value;
  /** `$nodes`: outputs of earlier nodes by name; null outside a graph. */
  nodes: Value;
  /** `$env`: the environment's variables; an empty object in evaluations. */
  env: Value;
  readonly run: RunState;
}
