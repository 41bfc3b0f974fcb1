import { close, open } from 'node:fs';
import type { Administered, PoolsStatus } from '../admin/administered.js';
import { every, within } from '../clock/timers.js';
import type { Answers, Order, Question, Report } from './messages.js';

const lookMs = 1000;
/** Checks in a row without a free descriptor: a short shortage ends by itself, a leak does not. */
const maxMisses = 3;

/**
 * A server process answers its primary, and ends with it.
 * @param end ends the process in place of node:cluster's own exit, which would not flush the log
 */
export function runChildAgent(administered: Administered, end: () => void): void {
  process.removeAllListeners('disconnect');
  process.on('disconnect', end);
  const send = (report: Report): void => void process.send?.(report);
  process.on('message', (order: Order) => {
    if (order.kind === 'pools') pending.get(order.id)?.(order.pools);
    // The primary has checked the changes against the same settings.
    else if (order.kind === 'resize') void administered.resize(order.changes);
    else void answer(administered, order.question).then((answer) => send({ kind: 'answer', id: order.id, answer }));
  });
  watchDescriptors(() => send({ kind: 'exhausted' }));
}

/** Longer than the primary waits for the slowest process. */
const poolsMs = 3000;

/** The callers of `askPools` that wait for the primary's answer. */
const pending = new Map<number, (pools: PoolsStatus | undefined) => void>();
let lastId = 0;

/** The pools of all processes, as their primary has them; undefined where it does not answer in time. */
export function askPools(): Promise<PoolsStatus | undefined> {
  const id = ++lastId;
  const answered = new Promise<PoolsStatus | undefined>((resolve) => {
    pending.set(id, resolve);
    process.send?.({ kind: 'askPools', id } satisfies Report);
  });
  return within(poolsMs, answered, () => undefined).finally(() => pending.delete(id));
}

/**
 * The system closes connections that a process has no descriptor for without telling it, so the process checks by
 * itself.
 */
function watchDescriptors(exhausted: () => void): void {
  let misses = 0;
  every(lookMs, () => {
    open('/dev/null', (error, descriptor) => {
      const none = error?.code === 'EMFILE' || error?.code === 'ENFILE';
      misses = none ? misses + 1 : 0;
      if (misses === maxMisses) exhausted();
      if (error === null) close(descriptor);
    });
  });
}

/** Undefined where it fails, which must not end a process that has requests under way. */
async function answer(administered: Administered, question: Question): Promise<Answers[Question] | undefined> {
  try {
    return await administered[question]();
  } catch {
    return undefined;
  }
}
