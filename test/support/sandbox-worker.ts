import { parentPort, workerData } from 'node:worker_threads';
import { functionCall, sandboxFixture } from './sandbox.js';

/** Runs the source it is given, and says before and after; the parent ends it where it does not come back. */
const source: unknown = workerData;
if (typeof source !== 'string' || parentPort === null) throw new Error('give a source to a worker thread');
const { call, open } = sandboxFixture();
// The first run compiles QuickJS, which may take long on a busy machine.
await call('export const handler = () => 1', { timeoutMs: 20_000 });
const run = open({ timeoutMs: 300 });
parentPort.postMessage('ready');
parentPort.postMessage(await run.call(functionCall(source)));
await run.dispose();
// Timers that the run left behind: they would keep the thread alive, and fire in another run.
parentPort.postMessage(process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length);
