import { parentPort, workerData } from 'node:worker_threads';
import { functionCall, sandboxFixture } from './sandbox.js';

/** Runs the source it is given, and says before and after; the parent ends it where it does not come back. */
const source: unknown = workerData;
if (typeof source !== 'string' || parentPort === null) throw new Error('give a source to a worker thread');
const run = sandboxFixture().open({ timeoutMs: 300 });
await run.call(functionCall('export const handler = () => 1'));
parentPort.postMessage('ready');
parentPort.postMessage(await run.call(functionCall(source)));
await run.dispose();
// Timers that the run left behind: they would keep the thread alive, and fire in another run.
parentPort.postMessage(process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length);
