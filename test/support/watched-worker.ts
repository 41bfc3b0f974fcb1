import { parentPort, workerData } from 'node:worker_threads';
import { handler, sandboxFixture } from './sandbox.js';
import type { WatchedCases, WatchedReply } from './watched.js';

const { cases, clock } = workerData as WatchedCases;
if (clock === 'looks') {
  let looks = 0;
  Object.assign(performance, { now: () => (looks += 1) });
}
const reported: unknown[] = [];
Object.assign(console, { error: (...values: unknown[]) => reported.push(values.map(String)) });

const large = 'y'.repeat(3_000_000);
const zen = { evaluateExpression: () => large, evaluateUnaryExpression: () => true };
const { call } = sandboxFixture();

for (const { source, timeoutMs } of cases) {
  const reply = await call(source, { timeoutMs, run: { zen }, nodes: () => ({ large }) });
  const next = await call(handler('return 1'));
  parentPort?.postMessage({
    code: reply.ok ? 'none' : reply.diagnostic.code,
    next: next.ok ? next.output : next.diagnostic,
    reported: reported.splice(0),
  } satisfies WatchedReply);
}
