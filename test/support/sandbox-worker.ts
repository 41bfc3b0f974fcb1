import { parentPort, workerData } from 'node:worker_threads';
import { functionCall, sandboxFixture } from './sandbox.js';

export interface SandboxWork {
  readonly source: string;
  readonly timeoutMs: number;
}

/** Runs the source it is given, and says before and after; the parent ends it where it does not come back. */
const { source, timeoutMs } = workerData as SandboxWork;
if (parentPort === null) throw new Error('this is for a worker thread');
const { call, open } = sandboxFixture();
// The first run compiles QuickJS.
await call('export const handler = () => 1');
const run = open({ timeoutMs });
parentPort.postMessage('ready');
parentPort.postMessage(await run.call(functionCall(source)));
await run.dispose();
// Timers that the run left behind: they would keep the thread alive, and fire in another run.
parentPort.postMessage(process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length);
