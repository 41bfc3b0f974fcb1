/** What came of one attempt to send. `error` is for operators and logs: it holds no address, text or secret. */
export type Attempt =
  | { readonly kind: 'delivered' }
  /** May work later. `retryAfterMs`: the receiver asks for that much time. */
  | { readonly kind: 'failed'; readonly error: string; readonly retryAfterMs?: number }
  /** Would fail again however often it is tried. */
  | { readonly kind: 'refused'; readonly error: string };

/** A text for a person, on its way. */
export interface Notification {
  /** The outbox id: the receiver tells a repetition by it. */
  readonly id: string;
  readonly to: string;
  readonly text: string;
}

/** Sends one notification. Never rejects for what the receiver does; ends early when the signal is aborted. */
export type SendNotification = (notification: Notification, signal: AbortSignal) => Promise<Attempt>;

export const delivered: Attempt = { kind: 'delivered' };

/** An error of the network or of a library, by its code: messages may hold addresses. */
export function failedBy(error: unknown): Attempt {
  if (!(error instanceof Error)) return { kind: 'failed', error: 'unknown error' };
  if (error.name === 'TimeoutError') return { kind: 'failed', error: 'no answer in time' };
  if (error.name === 'AbortError') return { kind: 'failed', error: 'the server stopped meanwhile' };
  const code = 'code' in error && typeof error.code === 'string' ? error.code : error.name;
  return { kind: 'failed', error: code };
}
