import type { RunDone, RunStopped } from '../../workers/protocol.js';
import { Recent } from '../../workers/recent/index.js';
import { requestBytes } from '../http/server/responseBackpressure.js';
import { textBytes, type Reservation } from '../admission/byteBudget.js';

/** Most workspaces whose sizes are remembered; evicted ones are learnt again. */
const maxRemembered = 10_000;
/** Bytes reserved for the result of a workspace's first run. */
const firstBytes = 16 * 1024;
/** Weight of a smaller result in the moving average; a larger one counts fully at once. */
const newestWeight = 1 / 8;

/**
 * Recent sizes of each workspace's results. That much is reserved before a run, because once the result's size is known
 * it is too late to refuse.
 */
export class ResultSizes {
  readonly #recent = new Recent<number>({ maxCount: maxRemembered });
  readonly #maxBytes: number;

  /** @param maxBytes that are reserved at most, so that a workspace with large results is not refused for ever */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Bytes that a run's result is expected to take. */
  expected(workspaceId: string): number {
    return Math.min(this.#recent.get(workspaceId) ?? firstBytes, this.#maxBytes);
  }

  /** Reserves the expected size of the run's result. Throws `overloaded`; then nothing may be run. */
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

  /** Corrects the reservation to the real sizes of body and reply. */
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
