import type { ModelReply, ModelTask } from '../../../workers/models/index.js';
import { ExpectedBytes, textBytes, type ByteBudget, type Reservation } from '../byteBudget.js';
import type { Owner } from '../owners.js';

/** Part of the budget that is reserved for one answer at most: larger ones than that are rare, and bounded by their kinds. */
const maxShare = 1 / 16;
/** Values of an answer that are looked at for its size; the texts of answers are among their first ones. */
const maxLookedAt = 10_000;

/** Reserves the bytes of what threads will answer to work on models, before the work begins and until it is over. */
export class AnswerBytes {
  readonly #budget: ByteBudget;
  readonly #expected: ExpectedBytes;

  constructor(budget: ByteBudget) {
    this.#budget = budget;
    this.#expected = new ExpectedBytes(budget.status().maxBytesInFlight * maxShare);
  }

  /** Throws `overloaded`. */
  reserve(owner: Owner, task: ModelTask): Reservation {
    return this.#budget.reserve(owner, this.#bytesOf(owner, task));
  }

  /** The same once there is room, for background work, whose caller can wait. Rejects once the server stops. */
  reserveLater(owner: Owner, task: ModelTask): Promise<Reservation> {
    return this.#budget.reserveLater(owner, this.#bytesOf(owner, task));
  }

  learn(owner: Owner, task: ModelTask, answer: ModelReply['answer']): void {
    this.#expected.learn(keyOf(owner, task), bytesOf(answer));
  }

  #bytesOf(owner: Owner, task: ModelTask): number {
    return this.#expected.of(keyOf(owner, task), sentBytes(task));
  }
}

const keyOf = ({ workspaceId }: Owner, { kind }: ModelTask): string => `${kind} ${workspaceId}`;

/** Bytes of what is sent, where the answer grows with it. */
function sentBytes(task: ModelTask): number {
  switch (task.kind) {
    case 'scan':
    case 'find':
    case 'fields':
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
