import type { RunReply, RunTask } from '../../../workers/protocol.js';

/** A worker for measuring the pool itself: parses the body and answers with the size of it. */
export function ready(): void {
  // Nothing to warm.
}

export function run(task: RunTask): RunReply {
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
  };
}
