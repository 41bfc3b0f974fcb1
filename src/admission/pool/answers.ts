import type { ModelReply, ModelTask } from '../../../workers/models/index.js';
import { pause } from '../../clock/timers.js';
import { Problem } from '../../errors.js';
import { textBytes, type ByteBudget, type Reservation } from '../byteBudget.js';
import { ExpectedBytes } from '../expectedBytes.js';
import type { Owner } from '../owners.js';

/** Part of the budget that is reserved for one answer at most: larger ones than that are rare, and bounded by their kinds. */
const maxShare = 1 / 16;
/** Values of an answer that are looked at for its size; the texts of answers are among their first ones. */
const maxLookedAt = 10_000;
/** How often background work looks whether there is room for its answer, in milliseconds. */
const lookMs = 100;

/** What threads answer, of work on models: reserved as long as the work lasts, before it is taken over. */
export class Answers {
  readonly #budget: ByteBudget;
  readonly #expected: ExpectedBytes;

  constructor(budget: ByteBudget) {
    this.#budget = budget;
    this.#expected = new ExpectedBytes(budget.status().maxBytesInFlight * maxShare);
  }

  /** Throws `overloaded`. */
  reserve(owner: Owner, task: ModelTask): Reservation {
    return this.#budget.reserve(owner, this.#expected.of(keyOf(owner, task), sentBytes(task)));
  }

  /** Waits for room: nobody waits for work in the background. @param stopped whether it is in vain */
  async reserveLater(owner: Owner, task: ModelTask, stopped: () => boolean): Promise<Reservation> {
    for (;;) {
      try {
        return this.reserve(owner, task);
      } catch (error) {
        if (!(error instanceof Problem) || stopped()) throw error;
        await pause(lookMs);
      }
    }
  }

  learn(owner: Owner, task: ModelTask, answer: ModelReply['answer']): void {
    this.#expected.learn(keyOf(owner, task), bytesOf(answer));
  }
}

const keyOf = ({ workspaceId }: Owner, { kind }: ModelTask): string => `${kind} ${workspaceId}`;

/** Bytes of what is sent, where the answer grows with it. */
function sentBytes(task: ModelTask): number {
  switch (task.kind) {
    case 'scan':
    case 'find':
    case 'test':
    case 'analyse':
    case 'compare':
    // What differs between two versions is little of either.
    case 'differences':
      return 0;
    case 'body':
      return task.shape === 'closed' ? textBytes(task.text) : 0;
    default:
      return bytesOf(task);
  }
}

/** What the texts, bytes and numbers in a value take, without walking all of a large one. */
function bytesOf(value: unknown): number {
  let bytes = 0;
  let left = maxLookedAt;
  for (const rest: unknown[] = [value]; rest.length > 0 && left > 0; left--) {
    const next = rest.pop();
    if (typeof next === 'string') bytes += textBytes(next);
    else if (ArrayBuffer.isView(next)) bytes += next.byteLength;
    else if (Array.isArray(next) && typeof next[0] === 'number') bytes += 8 * next.length;
    else if (typeof next === 'object' && next !== null) rest.push(...(Object.values(next) as unknown[]).slice(0, left));
  }
  return bytes;
}
