import type { RunStopped } from '../../../workers/protocol.js';
import type { Thread } from './thread.js';

const messages = {
  timeout: 'The run passed its time limit and was stopped.',
  memory: 'The run passed its memory limit and was stopped.',
  crash: 'The run ended without a result.',
} as const satisfies Record<RunStopped['reason'], string>;

/** The reply of a run whose thread died or was ended while it ran. @param ms how long it ran */
export function stoppedBy(thread: Thread, error: unknown, ms: number): RunStopped {
  const isOutOfMemory = (error as NodeJS.ErrnoException | null)?.code === 'ERR_WORKER_OUT_OF_MEMORY';
  const reason = thread.overdue ? 'timeout' : isOutOfMemory ? 'memory' : 'crash';
  const engineUs = Math.round(ms * 1000);
  return { kind: 'stopped', reason, message: messages[reason], engineUs, recordedFact: null, factRedacted: false };
}

/**
 * Whether an earlier run of the thread may be at fault. The worker's own code leaves no error uncaught, and all runs of
 * a thread fill one heap: where a thread that has served others dies by a throw, an exit or lack of memory, the cause
 * is unknown. The run's own fault happens again on a fresh thread. A passed deadline and what `runAll` itself rejects
 * with are certainly the present run's.
 */
export function mayBeAnothers(thread: Thread, { reason }: RunStopped): boolean {
  return reason !== 'timeout' && thread.died && thread.served > 0;
}

/** What may be logged of an error from a worker: not its message, which can hold a secret or a part of a fact. */
export function forLog(error: unknown): { readonly error: string; readonly at: string | undefined } {
  const { name = 'unknown', code, stack } = (error ?? {}) as Partial<NodeJS.ErrnoException>;
  const frames = stack?.split('\n').filter((line) => /^ {4}at /.test(line));
  return { error: code === undefined ? name : `${name} ${code}`, at: frames?.join('\n') };
}
