import { workerData } from 'node:worker_threads';
import type { BatchAnswer, RunTask, WorkerData } from '../../../workers/protocol.js';
import * as trivial from './trivial.js';

// As the engine's worker where the system does not let threads come back from a low priority.
const begun = new Int32Array((workerData as WorkerData).begun);
let gaveWay = false;

export const ready = trivial.ready;

export function runAll(tasks: readonly RunTask[]): BatchAnswer | Promise<BatchAnswer> {
  if (begun[1] === 1) gaveWay = true;
  else if (gaveWay) Atomics.store(begun, 2, 1);
  return trivial.runAll(tasks);
}
