import type { Logger } from 'pino';
import type { RunReply, RunStopped, RunTask } from '../../workers/protocol.js';
import { forLog, mayBeAnothers, stoppedBy } from './loss.js';
import type { Measures } from './measures.js';
import type { Thread } from './thread.js';
import type { Threads } from './threads.js';

/** The engine stops itself at the run's limit; a thread that has not answered this much later is ended. */
const graceMs = 250;

/** The thread was lost under the run. `repeatOn`: the fault may be an earlier run's, so it is to run once more there. */
export interface Lost {
  readonly kind: 'lost';
  readonly stopped: RunStopped;
  readonly repeatOn: Thread | null;
}

export interface AttemptsDependencies {
  readonly threads: Threads;
  readonly measures: Measures;
  readonly log: Pick<Logger, 'error'>;
}

/** One run on one thread, which is released after it, or replaced. */
export class Attempts {
  readonly #threads: Threads;
  readonly #measures: Measures;
  readonly #log: AttemptsDependencies['log'];

  constructor({ threads, measures, log }: AttemptsDependencies) {
    this.#threads = threads;
    this.#measures = measures;
    this.#log = log;
  }

  /** Never rejects; the thread is the caller's no more when it resolves, but that of `repeatOn` is. */
  async run(thread: Thread, task: RunTask): Promise<RunReply | Lost> {
    const start = performance.now();
    thread.endAt = start + task.timeoutMs + graceMs;
    try {
      const reply = await thread.run(task);
      thread.endAt = Infinity;
      thread.served++;
      if (reply.kind === 'stopped' && reply.detail !== undefined) {
        this.#log.error({ detail: reply.detail }, 'the engine failed on a run');
      }
      if (reply.kind !== 'miss') this.#ran(start, reply.kind === 'done' ? 'done' : reply.reason);
      this.#threads.release(thread);
      return reply;
    } catch (error) {
      thread.endAt = Infinity;
      const lost = this.#lost(thread, error, start);
      if (lost.repeatOn !== null && !(await lost.repeatOn.started)) return { ...lost, repeatOn: null };
      return lost;
    }
  }

  #lost(thread: Thread, error: unknown, start: number): Lost {
    const ms = performance.now() - start;
    const stopped = stoppedBy(thread, error, ms);
    const unclear = mayBeAnothers(thread, stopped);
    const { reason } = stopped;
    this.#log.error({ reason, unclear, served: thread.served, ms, ...forLog(error) }, 'a thread was lost under a run');
    const replacement = this.#threads.replace(thread, { reserved: unclear });
    if (!unclear) this.#ran(start, reason);
    return { kind: 'lost', stopped, repeatOn: unclear ? replacement : null };
  }

  #ran(start: number, end: 'done' | RunStopped['reason']): void {
    const now = performance.now();
    this.#measures.ran(now - start, end, now);
  }
}
