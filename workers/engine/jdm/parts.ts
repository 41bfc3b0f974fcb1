// Types alone: what programs and their runs are made of. They stand apart so that programs, runs and nodes need not import
// one another.
import type { Diagnostic } from '../errors.js';
import type { Warning } from '../feel/feelRun.js';
import type { Footprint } from '../footprint.js';
import type { Limits } from '../limits.js';
import type { CompiledNode } from '../nodes/nodeType.js';
import type { RunSecrets } from '../redact.js';
import type { HttpPolicy, Sandbox } from '../sandbox/types.js';
import type { Value, ValueObject } from '../values.js';
import type { Plan } from './plan.js';
import type { Trace } from './trace.js';

/** What a run is given beside its fact. */
export interface RunOptions {
  /** The environment's variables, `$env`; absent in evaluations. */
  readonly env?: ValueObject;
  readonly trace: boolean;
  /** Milliseconds since the epoch at which the run begins; its clock goes on from there as `RunClock` says. */
  readonly now: number;
  /** In [0, 1). */
  readonly random: () => number;
  /** `performance.now()` milliseconds after which the run is stopped; Infinity for never. */
  readonly deadline: number;
  /** Decisions and services of a DMN model whose values are wanted; absent: the decisions that no other requires. */
  readonly select?: readonly string[] | undefined;
  /** There is no decimal in the fact, since `JSON.parse` made it: spares schemas a look. */
  readonly plainFact?: boolean;
  /** In place of the limits that the program was compiled with. */
  readonly limits?: Limits;
  /** What `http` in function nodes may reach; absent: nothing. Withheld: a run ends where it would call a host. */
  readonly http?: HttpPolicy;
  /**
   * Is told which variables are read, and redacts secrets from texts before they are shortened; absent: there are none.
   */
  readonly secrets?: RunSecrets;
}

/**
 * How a run ended. `engineMs` is the time in the engine alone. Values may share parts with the fact. `plain`: there is no
 * decimal, date or interval in result and trace.
 */
export type Outcome =
  | {
      readonly status: 'COMPLETED';
      readonly result: Value;
      readonly engineMs: number;
      readonly plain: boolean;
      readonly trace?: Trace;
      readonly warnings?: readonly Warning[];
    }
  | {
      readonly status: 'FAILED';
      readonly error: Diagnostic;
      /** The error as one line, with node and field. */
      readonly message: string;
      readonly engineMs: number;
      readonly plain: boolean;
      readonly trace?: Trace;
      readonly warnings?: readonly Warning[];
    };

/** A node, ready to run. */
export interface ProgramNode {
  readonly id: string;
  readonly name: string;
  readonly compiled: CompiledNode;
  /** It reads `$nodes`. */
  readonly readsNodes: boolean;
}

/** What programs read of one another. */
export interface HasParts {
  readonly parts: Pick<ProgramParts, 'scripted' | 'subPrograms'>;
}

/** What `compile` makes a program of. */
export interface ProgramParts {
  readonly nodes: readonly ProgramNode[];
  readonly plan: Plan;
  readonly limits: Limits;
  readonly footprint: Footprint;
  readonly sandbox: Sandbox | undefined;
  /** Some node is JavaScript. */
  readonly scripted: boolean;
  /** The programs of its decision nodes, those that exist. */
  readonly subPrograms: () => readonly HasParts[];
}
