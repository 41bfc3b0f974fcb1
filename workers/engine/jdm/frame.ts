import type { Warning } from '../feel/feelRun.js';
import type { EngineError, Diagnostic } from '../errors.js';
import type { SandboxRun } from '../sandbox/types.js';
import type { RunState, Scope, ValueObject } from '../values.js';

/** What one run has in common, its sub-decisions included. */
export interface Session {
  readonly run: RunState;
  /** The environment's variables; `{}` in evaluations. */
  readonly env: ValueObject;
  readonly traced: boolean;
  /** There is surely no decimal in the fact. */
  readonly plainFact: boolean;
  /** The sandbox of this run, opened by the first function node. */
  sandbox(): SandboxRun;
  /** Takes what was null in documents of DMN that the graph called, and why. */
  warn(warnings: readonly Warning[]): void;
  /** What is left to a traced run for looking for rows that come nearest, in all of its tables together. */
  readonly search: { steps: number; ms: number };
  /** The error as callers see it: its message redacted and shortened. */
  diagnosticOf(error: EngineError): Diagnostic;
}

/** One graph while it runs. Nodes run one after the other, so that they can share one scope, set by each before use. */
export interface Frame {
  readonly session: Session;
  readonly scope: Scope;
  /** The node that runs. */
  readonly nodeId: string;
  /** 0 in the decision that was asked for, 1 in its sub-decisions, … */
  readonly depth: number;
  /** Outputs so far by node name: a snapshot, made when asked for. */
  nodes(): ValueObject;
  /** Called by a switch with the ids of its statements that hold. */
  choose(statements: readonly string[]): void;
}
