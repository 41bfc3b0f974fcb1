import type { Logger } from 'pino';
import { Problem } from '../errors.js';
import { createWakeSignal } from '../storage/wakeSignal.js';
import { deleteSomeDifferences } from './differences.store.js';
import { claimJob, deleteReplay, failJob, JobLost, releaseJob, type Job } from './jobs.store.js';
import { workOnReplay, type TurnDependencies } from './turn.js';

export interface RunnerSettings {
  /** How often to look for replays that others started or left behind, in milliseconds. */
  readonly pollMs: number;
  /** How long a job is another process's after this one died, in milliseconds; longer than any piece of work. */
  readonly leaseMs: number;
}

/** Works on the replays of all workspaces. Several may run at once, in one process or in many. */
export interface ReplayRunner {
  start(): void;
  /** A replay was started: look now. */
  wake(): void;
  /** Writes what was done, and lets others go on with it. */
  stop(): Promise<void>;
}

interface Dependencies extends TurnDependencies {
  readonly log: Pick<Logger, 'warn' | 'error'>;
  readonly settings: RunnerSettings;
}

/** Replays that a process works on at once. Each has one piece on a thread. */
const atOnce = 2;
/** How long a replay has its turn, where others may wait for theirs. */
const turnMs = 2000;
/** Turns that came to nothing after which a replay has FAILED: the process may have died of it. */
const maxAttempts = 5;
/** After a turn that failed, for instance because the database was away. */
const retryMs = 1000;

export function createReplayRunner(dependencies: Dependencies): ReplayRunner {
  const { database, log, settings } = dependencies;
  const wakeSignals = Array.from({ length: atOnce }, createWakeSignal);
  const stop = new AbortController();
  const isStopping = (): boolean => stop.signal.aborted;

  async function work(job: Job): Promise<void> {
    if (job.isRemoved) {
      const more = await deleteSomeDifferences(database, job);
      await (more ? releaseJob(database, job, 0) : deleteReplay(database, job));
      return;
    }
    if (job.attempts > maxAttempts) {
      await failJob(database, job, 'It could not be continued after several attempts.');
      return;
    }
    const end = performance.now() + turnMs;
    const mayGoOn = (): boolean => !isStopping() && performance.now() < end;
    const { leaseMs } = settings;
    // A piece may wait for as long as the machine is busy. A renewal that fails is made up for by the next.
    const renewal = setInterval(() => void releaseJob(database, job, leaseMs).catch(() => undefined), leaseMs / 3);
    try {
      await workOnReplay(dependencies, job, { leaseMs, mayGoOn });
    } catch (error) {
      await ended(job, error);
    } finally {
      clearInterval(renewal);
    }
  }

  async function ended(job: Job, error: unknown): Promise<void> {
    if (error instanceof JobLost) return;
    if (error instanceof Problem && error.status === 404) {
      await failJob(database, job, error.message);
      return;
    }
    // A server that stops lets others go on at once.
    const delayMs = isStopping() ? 0 : retryMs;
    if (!isStopping())
      log.warn({ err: error, replay: job.id, attempts: job.attempts }, 'a replay is tried again later');
    await releaseJob(database, job, delayMs);
  }

  async function loop(index: number): Promise<void> {
    const wakeSignal = wakeSignals[index] ?? createWakeSignal();
    while (!isStopping()) {
      try {
        const job = await claimJob(database, settings.leaseMs);
        if (job !== undefined) {
          await work(job);
          continue;
        }
      } catch (error) {
        // What is claimed stays ours until its lease ends.
        log.warn({ err: error }, 'replays cannot be worked on right now');
        wakeSignal.clear();
      }
      // A little jitter keeps several processes from asking at the same moments.
      if (!isStopping()) await wakeSignal.wait(settings.pollMs * (0.75 + 0.5 * Math.random()));
    }
  }

  let loops: Promise<void>[] = [];
  const wake = (): void => wakeSignals.forEach(({ raise }) => raise());
  return {
    start() {
      if (loops.length === 0) loops = wakeSignals.map((_, index) => loop(index));
    },
    wake,
    async stop() {
      stop.abort();
      wake();
      await Promise.all(loops);
    },
  };
}
