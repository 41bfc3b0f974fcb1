import type { Logger } from 'pino';
import type { RunDone, RunStopped } from '../../../workers/protocol.js';
import { Problem } from '../../errors.js';
import type { ExecutionRecord } from '../recorder/record.js';
import { recordedAnswer, unrecordedAnswer, type ItemAnswer } from './answers.js';
import type { Item } from './item.js';

/** A run that is over, before its record. */
export interface ItemRun {
  readonly item: Item;
  readonly reply: RunDone | RunStopped;
  readonly record: ExecutionRecord;
}

export function answerOfRun({ item, reply, record }: ItemRun): ItemAnswer {
  const { id, status, engineUs } = record;
  const done = reply.kind === 'done';
  return recordedAnswer(item, {
    id,
    status,
    engineUs,
    result: done ? reply.result : record.result,
    stopped: done ? null : reply.reason,
  });
}

export function refusalOf({ item }: ItemRun, error: unknown, log: Pick<Logger, 'error'>): ItemAnswer {
  if (error instanceof Problem) return unrecordedAnswer(item, error);
  log.error({ err: error }, 'an execution of a batch could not be recorded');
  return unrecordedAnswer(item, { code: 'internal_error', message: 'The execution could not be recorded.' });
}
