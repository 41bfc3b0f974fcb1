/** The result of one attempt to send. `error` is for operators and logs: it holds no address, text or secret. */
export type Attempt =
  /** `status`: what the receiver answered, over HTTP. */
  | { readonly kind: 'delivered'; readonly status?: number }
  /** There is no gateway: the log says what would have been sent. */
  | { readonly kind: 'logged' }
  /** May work later. `retryAfterMs`: the delay that the receiver asked for. */
  | { readonly kind: 'failed'; readonly error: string; readonly status?: number; readonly retryAfterMs?: number }
  /** Would fail again however often it is tried. */
  | { readonly kind: 'refused'; readonly error: string; readonly status?: number };

/** A text for a person, ready to be sent. */
interface Notification {
  /** The outbox id, by which the receiver recognises a repetition. */
  readonly id: string;
  readonly to: string;
  readonly text: string;
  /** The inquiry's link, which the text may contain: it opens the flow. */
  readonly link: string;
}

/** Sends one notification. Never rejects for what the receiver does; ends early when the signal is aborted. */
export type SendNotification = (notification: Notification, signal: AbortSignal) => Promise<Attempt>;

export const delivered: Attempt = { kind: 'delivered' };

/** Codes of Node, OpenSSL and undici, with a cause that an operator understands. */
const causes: readonly (readonly [pattern: RegExp, cause: string])[] = [
  [/^ECONNREFUSED$/, 'connection refused'],
  [/^ENOTFOUND$/, 'name not found'],
  [/^EAI_AGAIN$/, 'the name could not be looked up'],
  [/^(ECONNRESET|EPIPE|UND_ERR_SOCKET)$/, 'connection broken off'],
  [/^(EHOSTUNREACH|ENETUNREACH)$/, 'no way to the address'],
  [/^(ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT)$/, 'no answer in time'],
  [/CERT|^UNABLE_TO_|^HOSTNAME_MISMATCH$/, 'certificate not accepted'],
  [/^(ERR_SSL_|ETLS$|EPROTO$)/, 'no TLS with the receiver'],
  [/^EAUTH$/, 'the server refuses our user and password'],
];

/** An error of the network or of a library, by its cause and code: messages may hold addresses. */
export function failedBy(error: unknown): Attempt {
  if (!(error instanceof Error)) return { kind: 'failed', error: 'unknown error' };
  if (error.name === 'TimeoutError') return { kind: 'failed', error: 'no answer in time' };
  if (error.name === 'AbortError') return { kind: 'failed', error: 'the server stopped meanwhile' };
  const code = codeOf(error);
  const [, cause] = causes.find(([pattern]) => pattern.test(code)) ?? [];
  return { kind: 'failed', error: cause === undefined ? code : `${cause} (${code})` };
}

/** nodemailer has codes of its own, such as ESOCKET, and keeps Node's beside them. */
function codeOf(error: Error): string {
  const { originalCode, code } = error as { originalCode?: unknown; code?: unknown };
  if (typeof originalCode === 'string') return originalCode;
  return typeof code === 'string' ? code : error.name;
}
