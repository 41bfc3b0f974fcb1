import { setTimeout as sleep } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import type { Suite } from 'mocha';
import { closeShared } from './afterFile.js';
import { countFor, reportCosts } from './costs.js';
import { beforeEachFile } from './eachFile.js';
import { endShared, isSharing, keepShared } from './shared.js';

// Loaded by mocha (--require) in each process that runs test files: gives it a database and a Redis of its own, and holds
// every file to leave nothing open behind it.

/** Environment variables of each process, as a JSON list. */
export const slotsVariable = 'TEST_SLOTS';

/** Whether it has a database of its own. */
function takeSlot(): boolean {
  const slots = JSON.parse(process.env[slotsVariable] ?? '[]') as NodeJS.ProcessEnv[];
  // Counted from 0 by mocha's --parallel; a process that takes a dead one's place has a higher number.
  const number = Number(process.env['MOCHA_WORKER_ID'] ?? 0);
  Object.assign(process.env, slots.length === 0 ? {} : slots[number % slots.length]);
  return slots.length > 0;
}

/** How long what a file closed may take to be gone. */
const leaveMs = 30_000;
const pauseMs = 20;

/** Threads that live. A report of the process tells of them too, and takes 30 ms, for each file twice. */
const threads = new Set<Worker>();
process.on('worker', (thread) => {
  threads.add(thread);
  thread.once('exit', () => threads.delete(thread));
});

/** What would keep the process from ending: servers, sockets, child processes, timers, worker threads; how many of each. */
function openHandles(): Map<string, number> {
  const counts = new Map([['Worker', threads.size]]);
  // Connections are kept alive by their pools for a while, and end with their servers. The shared server's background
  // sets timers and sleeps as it likes; what a file leaves open has a socket, a thread or a process too.
  const kinds = process
    .getActiveResourcesInfo()
    .filter((kind) => !['TCPSocketWrap', ...(keepsShared ? timers : [])].includes(kind));
  for (const kind of kinds) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return counts;
}

let before = new Map<string, number>();
let keepsShared = false;
const timers = ['Timeout', 'Immediate'];
/** Threads that the shared server may have begun since. */
const threadsOfShared = 3;

const leftOpen = (): string[] =>
  [...openHandles()].filter(([kind, count]) => count > (before.get(kind) ?? 0)).map(([kind]) => kind);

async function requireNothingLeftOpen(): Promise<void> {
  const deadline = performance.now() + leaveMs;
  while (leftOpen().length > 0 && performance.now() < deadline) await sleep(pauseMs);
  const open = leftOpen();
  if (open.length === 0) return;
  throw new Error(`this file left something open: ${open.join(', ')}`);
}

const hasDatabase = takeSlot();

/** Tests of one function ask no database, so that what another file has left there is the next one's. */
const asksNoDatabase = ({ suites }: Suite): boolean =>
  suites.every(({ file = '' }) => /\/dist\/test\/(unit|golden|differential)\//.test(file));

const emptied = async (): Promise<void> =>
  (await import('./emptyDatabase.js')).emptyDatabase(process.env['DATABASE_URL'] ?? '');

/** Around all tests; under --parallel, around those of each file. */
export const mochaHooks = {
  // Asynchronous as the one below: mocha's time limit of either hook is a timer that counts in both.
  async beforeAll(this: Mocha.Context): Promise<void> {
    await sleep(0);
    const root = this.test!.parent!;
    const leaves = !hasDatabase || !isSharing || asksNoDatabase(root);
    if (hasDatabase && !isSharing && !asksNoDatabase(root)) beforeEachFile(root, emptied);
    keepsShared = await keepShared(leaves ? () => Promise.resolve() : emptied);
    before = openHandles();
    if (keepsShared) before.set('Worker', (before.get('Worker') ?? 0) + threadsOfShared);
  },
  beforeEach(this: Mocha.Context): void {
    countFor(this.currentTest?.file);
  },
  async afterAll(this: Mocha.Context): Promise<void> {
    await closeShared();
    if (!isSharing) await endShared();
    await requireNothingLeftOpen();
    reportCosts(this.test!.parent!);
  },
};
