import { getHeapStatistics } from 'node:v8';
import { workerData } from 'node:worker_threads';
import { runBatch } from '../../../workers/batch.js';
import type { BatchAnswer, RunTask, WorkerData } from '../../../workers/protocol.js';

export { ready } from './trivial.js';

const begun = new Int32Array((workerData as WorkerData).begun);

/** Answers with the bytes that the thread's heap may have, young and old. */
export function runAll(tasks: readonly RunTask[]): BatchAnswer | Promise<BatchAnswer> {
  return runBatch(tasks, begun, () => ({
    kind: 'done',
    status: 'COMPLETED',
    result: String(getHeapStatistics().heap_size_limit),
    trace: null,
    engineUs: 1,
    error: null,
    recordedFact: '{}',
    recordedResult: null,
    factRedacted: false,
  }));
}
