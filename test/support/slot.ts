import { setTimeout as sleep } from 'node:timers/promises';
import { closeShared } from './afterFile.js';

// Loaded by mocha (--require) in each process that runs test files: gives it a database and a Redis of its own, and holds
// every file to leave nothing open behind it.

/** Environment variables of each process, as a JSON list. */
export const slotsVariable = 'TEST_SLOTS';

function takeSlot(): void {
  const slots = JSON.parse(process.env[slotsVariable] ?? '[]') as NodeJS.ProcessEnv[];
  // Counted from 0 by mocha's --parallel; a process that takes a dead one's place has a higher number.
  const number = Number(process.env['MOCHA_WORKER_ID'] ?? 0);
  Object.assign(process.env, slots.length === 0 ? {} : slots[number % slots.length]);
}

const leaveMs = 10_000;
const pauseMs = 20;

/** What would keep a process from ending, by kind: servers, sockets, child processes, timers, worker threads. */
function openKinds(): string[] {
  const kinds = process.getActiveResourcesInfo().filter((kind) => kind !== 'PipeWrap' && kind !== 'TTYWrap');
  // The time limit that mocha sets on the hook which asks.
  const own = kinds.indexOf('Timeout');
  if (own !== -1) kinds.splice(own, 1);
  const { workers } = process.report.getReport() as unknown as { workers: unknown[] };
  return [...kinds, ...workers.map(() => 'Worker')];
}

async function requireNothingOpen(): Promise<void> {
  const deadline = performance.now() + leaveMs;
  while (openKinds().length > 0 && performance.now() < deadline) await sleep(pauseMs);
  const open = openKinds();
  if (open.length > 0) throw new Error(`a test left something open: ${[...new Set(open)].join(', ')}`);
}

takeSlot();

/** After all tests; under --parallel, after those of each file. */
export const mochaHooks = {
  async afterAll(): Promise<void> {
    await closeShared();
    await requireNothingOpen();
  },
};
