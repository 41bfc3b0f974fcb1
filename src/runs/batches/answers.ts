import type { RunStopped } from '../../../workers/protocol.js';
import type { ProblemCode, Violation } from '../../errors.js';
import type { ExecutionRecord } from '../recorder/record.js';
import { performanceText } from '../responseBody.js';
import type { FaultyItem, Item } from './item.js';

/** An item's answer, as JSON text. */
export interface ItemAnswer {
  readonly completed: boolean;
  readonly text: string;
}

/** What is answered of a record. `result` is JSON: the model's own where the record's is redacted. */
type AnsweredRecord = Pick<ExecutionRecord, 'id' | 'status' | 'engineUs'> & {
  readonly result: string;
  /** The limit that stopped the run, if one did. */
  readonly stopped: RunStopped['reason'] | null;
};

export function recordedAnswer({ index, key }: Item, record: AnsweredRecord): ItemAnswer {
  const { id, status, result, engineUs, stopped } = record;
  const code = stopped === null ? '' : `,"code":"${codeOf(stopped)}"`;
  return {
    completed: status === 'COMPLETED',
    text:
      `{"index":${index},"key":${keyText(key)},"id":"${id}","status":"${status}","result":${result},` +
      `"performance":"${performanceText(engineUs)}"${code}}`,
  };
}

/** An item that is no execution: nothing was run of it, or its record is not known to be written. */
export function unrecordedAnswer({ index, key }: Pick<Item, 'index' | 'key'>, refusal: Refusal): ItemAnswer {
  const { code, message, errors } = refusal;
  const more = errors === undefined ? '' : `,"errors":${JSON.stringify(errors)}`;
  return {
    completed: false,
    text:
      `{"index":${index},"key":${keyText(key)},"id":null,"status":"FAILED","result":{"error":${JSON.stringify(message)}},` +
      `"performance":null,"code":"${code}"${more}}`,
  };
}

interface Refusal {
  readonly code: ProblemCode;
  readonly message: string;
  readonly errors?: readonly Violation[];
}

export const faultyAnswer = ({ index, violations: errors }: FaultyItem): ItemAnswer =>
  unrecordedAnswer({ index, key: null }, { code: 'validation_failed', message: 'The item breaks its schema.', errors });

const keyText = (key: string | null): string => (key === null ? 'null' : JSON.stringify(key));

/** As a single execution's problem has it. */
const codeOf = (reason: RunStopped['reason']): ProblemCode =>
  reason === 'timeout' ? 'engine_timeout' : 'engine_failure';
