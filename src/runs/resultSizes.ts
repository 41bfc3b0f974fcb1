import type { RunDone, RunStopped } from '../../workers/protocol.js';
import { requestBytes } from '../http/server/responseBackpressure.js';
import { textBytes, type Reservation } from '../admission/byteBudget.js';
import { ExpectedBytes } from '../admission/expectedBytes.js';

/** Recent sizes of each workspace's results: that much is reserved before a run. */
export class ResultSizes {
  readonly #expected: ExpectedBytes;

  /** @param maxBytes that are reserved at most, so that a workspace with large results is not refused for ever */
  constructor(maxBytes: number) {
    this.#expected = new ExpectedBytes(maxBytes);
  }

  /** Bytes that a run's result is expected to take. */
  expected(workspaceId: string): number {
    return this.#expected.of(workspaceId);
  }

  /** Reserves the expected size of the run's result. Throws `overloaded`; then nothing may be run. */
  reserve(workspaceId: string, reservation: Reservation): void {
    reservation.grow(this.expected(workspaceId));
  }

  /** Takes note of what a run gave, and says how many bytes that takes. */
  learn(workspaceId: string, reply: Reply): number {
    const bytes = bytesOf(reply);
    this.#expected.learn(workspaceId, bytes);
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
