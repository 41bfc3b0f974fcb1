import type { Holding } from './holding.js';
import type { QueuedRun } from './queuedRun.js';

/**
 * Milliseconds of work below which another thread is not used. The way to a thread and back takes 0.05, but waking one
 * also takes time from whatever runs on its core: measured on 2 cores, 0.5 takes a tenth less processor time and gives
 * 6 % more executions than 0.05.
 */
export const worthMs = 0.5;
/** Milliseconds from a turn's start within which it is likely to end soon. */
const joinMs = 2;

interface Turns {
  /** Runs of the workspace that wait, this one included. */
  readonly waiting: number;
  readonly held: ReadonlySet<Holding>;
  /** By the clock of the turns. */
  readonly now: number;
}

/**
 * Whether a run that waits had better be taken by the thread that is at a short turn of its workspace already, than have
 * another one woken for it.
 */
export function joinsTurn({ account, pace }: QueuedRun, { waiting, held, now }: Turns): boolean {
  if (!pace.quick || pace.alone || waiting * pace.onThreadMs >= worthMs) return false;
  for (const turn of held) if (turn.account === account && !turn.unproven && turn.beganAt > now - joinMs) return true;
  return false;
}
