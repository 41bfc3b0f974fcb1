import { flag, required, text, type Input } from '../../params.js';
import { decisionId, environmentId } from '../named.js';

/** Of `verdict batch run`. */
export const batchOptions = {
  environmentId: required(environmentId('--environment <environment>', 'the environment; name or id')),
  decisionId: required(decisionId('--decision <decision>', 'the decision; key or id')),
  output: text('--output <file>', 'where the results go, NDJSON (of .xlsx: .xlsx); else FILE.results.ndjson (.xlsx)'),
  resume: flag('--resume', 'go on where an earlier run of this file was cut off; nothing runs twice'),
  key: text(
    '--key <column>',
    "of CSV: the column of the items' keys; else `key`, and of items without one their numbers",
  ),
  reference: text('--reference <column>', "of CSV: the column of the caller's own ids; else `reference`"),
};

export type BatchOptions = Input<typeof batchOptions>;

/** What it did. */
export interface BatchRun {
  readonly completed: number;
  readonly failed: number;
  /** The file of the results. */
  readonly output: string;
}
