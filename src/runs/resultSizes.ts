import { LRUCache } from 'lru-cache';
import type { RunDone, RunStopped } from '../../workers/protocol.js';
import { requestBytes } from '../http/server/responseBackpressure.js';
import { textBytes, type Reservation } from '../http/body/byteBudget.js';

/** Workspaces whose sizes are known, at most; what is forgotten is found out again. */
const maxKnown = 10_000;
/** Reserved for the result of a workspace's first run, which says how large the next ones are. */
const firstBytes = 16 * 1024;
/** Weight of a smaller result in what is expected; a larger one counts at once. */
const newestWeight = 1 / 8;

/**
 * What the runs of each workspace gave of late: so much is reserved before the next one, since nobody knows a result's size
 * before it is there, and then it is too late to refuse.
 */
export class ResultSizes {
  readonly #recent = new LRUCache<string, number>({ max: maxKnown });
  readonly #maxBytes: number;

  /** @param maxBytes that are reserved at most, so that one who once had large results is not refused for ever */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Bytes that a run's result is expected to take. */
  expected(workspaceId: string): number {
    return Math.min(this.#recent.get(workspaceId) ?? firstBytes, this.#maxBytes);
  }

  /** Reserves what the run's result is expected to take. Throws `overloaded`; nothing is to be run then. */
  reserve(workspaceId: string, reservation: Reservation): void {
    reservation.grow(this.expected(workspaceId));
  }

  /** Takes note of what a run gave, and says how many bytes that takes. */
  learn(workspaceId: string, reply: Reply): number {
    const bytes = bytesOf(reply);
    const recent = this.#recent.get(workspaceId) ?? 0;
    this.#recent.set(workspaceId, Math.max(bytes, recent + (bytes - recent) * newestWeight));
    return bytes;
  }

  /** Corrects that to what the reply takes beside the body. */
  settle(workspaceId: string, reservation: Reservation, { bodyText, reply }: { bodyText: string; reply: Reply }): void {
    reservation.resize(requestBytes + textBytes(bodyText) + this.learn(workspaceId, reply));
  }
}

type Reply = RunDone | RunStopped;

function bytesOf(reply: Reply): number {
  if (reply.kind === 'stopped') return textBytes(reply.message) + textBytes(reply.recordedFact ?? '');
  const { result, recordedResult, recordedFact, trace, error } = reply;
  return (
    textBytes(result) +
    textBytes(recordedFact) +
    textBytes(recordedResult ?? '') +
    textBytes(trace ?? '') +
    textBytes(error ?? '')
  );
}
