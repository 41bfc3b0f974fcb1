import type { Measured } from '../../../workers/models/index.js';
import type { RunContext } from './runContext.js';

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
