import type { Measured } from '../../../workers/models/index.js';

/** What a run saw besides its fact: given all of it again, it goes the same way. */
export interface RunContext {
  /** SHA-256 (hex) of the manifest, which names the model and all that it can reach. */
  readonly programId: string;
  /** Of the environment's variables and allowed hosts. */
  readonly configurationRevision: number;
  /** Milliseconds since the epoch. */
  readonly clock: number;
  /** 32 bits, from which its random numbers came. */
  readonly seed: number;
  /** Its fact had secrets in it: the record's is not what was run. */
  readonly factRedacted: boolean;
}

/** As they are read from a record, with the number of the engine that ran it. */
export type RecordedContext = RunContext & { readonly engine: number };

/** What is kept of every run. Texts are JSON with secrets redacted. */
export interface RunRecord {
  readonly id: string;
  readonly workspaceId: string;
  readonly decisionId: string;
  readonly version: number;
  readonly status: 'COMPLETED' | 'FAILED';
  /** Null when facts are not kept (RECORD_FACTS=false) or the thread that could redact them is gone. */
  readonly fact: string | null;
  readonly result: string;
  readonly error: string | null;
  readonly engineUs: number;
  readonly requestId: string;
  readonly principal: string;
  readonly createdAt: Date;
}

export interface ExecutionRecord extends RunRecord {
  readonly environmentId: string;
  readonly deploymentId: string;
  readonly trace: string | null;
  /** Decisions and services of a DMN model that were asked for, as JSON. */
  readonly selection?: string | null | undefined;
  /** The caller's own id of it. */
  readonly reference: string | null;
  readonly context: RunContext;
  /** Fields of the result that are counted; they are no part of the record. */
  readonly measured?: Measured | undefined;
  /** Nulls of a DMN model that its trace tells, counted too. */
  readonly warningCount?: number | undefined;
}
