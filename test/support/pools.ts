import { randomUUID } from 'node:crypto';
import { BroadcastChannel } from 'node:worker_threads';
import type { Registry } from 'prom-client';
import { PoolCounts, type CountsOfPool } from '../../src/admin/metrics/pool.js';
import type { RunOptions } from '../../src/admission/pool/queuedRun.js';
import type { ByteBudget } from '../../src/admission/byteBudget.js';
import { Pool, type PoolDependencies } from '../../src/admission/pool/pool.js';
import type { PoolConfig, PoolStatus } from '../../src/admission/pool/settings.js';
import { Thread } from '../../src/admission/pool/thread.js';
import { runOnThread, type Fetch } from '../../src/runs/runOnThread.js';
import { defaultRunLimits, type RunDone, type RunStopped } from '../../workers/protocol.js';
import { HandClock } from './handClock.js';
import type { Order } from './workers/faults.js';

const config: PoolConfig = {
  poolMinThreads: 1,
  poolMaxThreads: 1,
  poolMaxQueue: 100,
  poolMaxQueuePerWorkspace: 100,
  poolMaxWaitMs: 600_000,
  runTimeoutMs: 10_000,
  runMaxHeapMb: 64,
  shutdownTimeoutMs: 20_000,
};

const faults = new URL('./workers/faults.js', import.meta.url);

/** A pool of which is counted what it tells, as in the server. */
export class CountedPool extends Pool {
  readonly #counts: PoolCounts;

  constructor(dependencies: Omit<PoolDependencies, 'observer'>, counts: PoolCounts) {
    super({ ...dependencies, observer: counts });
    this.#counts = counts;
  }

  override status(): PoolStatus & CountsOfPool {
    return { ...super.status(), ...this.#counts.status() };
  }
}

const pools: Pool[] = [];

/** A thread of its own, of no pool; to be ended. */
export const someThread = (): Thread =>
  new Thread({ worker: faults, maxHeapMb: 64, limits: defaultRunLimits, onDeath: () => undefined });

/**
 * A pool of the worker `faults.ts`, with its first threads ready; what it logs goes into `logged`. Ended by `closePools`.
 * With that worker, time stands still for the pool until the test moves its clock: a pause of the machine makes no run
 * slow, and no wait long. With another worker the clock is the machine's.
 */
export async function bootPool(
  changes: Partial<PoolConfig> & {
    readonly worker?: URL;
    readonly registry?: Registry;
    readonly logged?: unknown[];
    readonly clock?: { readonly now: () => number };
    readonly overflowMs?: number;
    readonly budget?: ByteBudget;
  } = {},
): Promise<CountedPool> {
  const { worker = faults, registry, logged = [], overflowMs, budget, ...rest } = changes;
  const { clock = worker === faults ? new HandClock() : performance, ...settings } = rest;
  const log = { error: (...line: unknown[]) => void logged.push(line) };
  const now = (): number => clock.now();
  const parts = { config: { ...config, ...settings }, limits: defaultRunLimits, log, worker, now };
  const pool = new CountedPool(
    { ...parts, ...(overflowMs && { overflowMs }), ...(budget && { budget }) },
    new PoolCounts(registry, now),
  );
  pools.push(pool);
  await pool.ready();
  return pool;
}

/** For `afterEach`: ends every pool that the test made, whatever it is doing. */
export async function closePools(): Promise<void> {
  await Promise.all(pools.splice(0).map((pool) => pool.drain(0)));
}

export interface Ordered extends Partial<RunOptions> {
  readonly workspace?: string;
  readonly programId?: string;
  readonly configurationId?: string;
  readonly provide?: Fetch;
}

const lacksNothing: Fetch = () => Promise.reject(new Error('nothing to provide'));

/** Runs one order of `faults.ts`. */
export function give(pool: Pool, order: Order, options: Ordered = {}): Promise<RunDone | RunStopped> {
  const { workspace = 'w', programId = 'p', configurationId = '', provide = lacksNothing, ...rest } = options;
  return runOnThread(
    pool,
    {
      programId,
      workspaceId: workspace,
      configurationId,
      body: JSON.stringify(order),
      traced: false,
      clock: 0,
      seed: 0,
    },
    provide,
    rest,
  );
}

/** A run that holds a thread. */
export interface Held {
  readonly run: Promise<RunDone | RunStopped>;
  readonly release: () => void;
}

/** Occupies a thread until it is released. Resolves when the thread is at it. */
export async function hold(pool: Pool, options: Ordered = {}): Promise<Held> {
  const gate = randomUUID();
  const channel = new BroadcastChannel(gate);
  const begun = new Promise((resolve) => (channel.onmessage = resolve));
  channel.unref();
  const run = give(pool, { do: 'hold', gate }, options);
  await begun;
  return {
    run,
    release: () => {
      channel.postMessage('go');
      channel.close();
    },
  };
}

export interface Answer {
  readonly thread: number;
  /** Number of the batch on its thread. */
  readonly batch: number;
  /** Number of the run on its thread. */
  readonly nth: number;
  readonly programId: string;
  readonly configurationId: string;
  readonly timeoutMs: number;
  readonly said: string;
}

/** What `faults.ts` says of a run that it completed. */
export async function answerOf(run: Promise<RunDone | RunStopped>): Promise<Answer> {
  const reply = await run;
  if (reply.kind !== 'done') throw new Error(`stopped: ${reply.reason}`);
  return JSON.parse(reply.result) as Answer;
}

/** Runs that were given are on their way to idle threads by then: the pool collects those of one turn of the event loop. */
export const endOfTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
