import { workerData } from 'node:worker_threads';
import { runBatch } from '../../../workers/batch.js';
import type { BatchAnswer, RunReply, RunTask, WorkerData } from '../../../workers/protocol.js';

const begun = new Int32Array((workerData as WorkerData).begun);

/** A worker for measuring the pool itself: parses the body and answers with the size of it. */
export function ready(): void {
  // Nothing to warm.
}

export function runAll(tasks: readonly RunTask[]): BatchAnswer | Promise<BatchAnswer> {
  return runBatch(tasks, begun, run);
}

function run(task: RunTask): RunReply {
  const { fact } = JSON.parse(task.body) as { fact: { text: string } };
  return {
    kind: 'done',
    status: 'COMPLETED',
    result: JSON.stringify({ length: fact.text.length }),
    trace: null,
    engineUs: 1,
    error: null,
    recordedFact: JSON.stringify(fact),
    recordedResult: null,
    factRedacted: false,
  };
}
