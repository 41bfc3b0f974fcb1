import { OutboundRefused, outboundRequest } from '../../../workers/outbound/index.js';
import { failedBy, type Attempt } from '../attempt.js';
import { parseRetryAfter } from '../schedule.js';
import { withinTime } from './timeLimit.js';

/** What calls to gateways and callbacks have in common. */
export interface PostSettings {
  /** Milliseconds for the whole call. */
  readonly timeoutMs: number;
  /** `host:port` entries that may stand at a private address (OUTBOUND_ALLOW). */
  readonly privateHosts: readonly string[];
}

/**
 * One POST of JSON under the outbound guard. Redirects are not followed: signature and credentials are meant for one
 * address. 2xx is delivered; 4xx is refused, except for the temporary ones; everything else failed.
 */
export async function post(
  { url, headers, body }: { url: string; headers: Readonly<Record<string, string>>; body: string },
  { timeoutMs, privateHosts }: PostSettings,
  signal: AbortSignal,
): Promise<Attempt> {
  try {
    const { status, headers: answered } = await withinTime({ signal, timeoutMs }, (limited) =>
      outboundRequest({
        url,
        method: 'POST',
        headers: { 'content-type': 'application/json', 'user-agent': 'verdict', ...headers },
        body,
        policy: { allow: [ownHost(url)], allowPrivate: privateHosts },
        signal: limited,
        timeoutMs,
        // The status alone decides, even where the rest of the response fails.
        headOnly: true,
        maxRedirects: 0,
      }),
    );
    return judged(status, parseRetryAfter(answered['retry-after'], Date.now()));
  } catch (error) {
    // Refused by the guard ("the host is not a public address"): the operator can correct that, so it is tried again.
    if (error instanceof OutboundRefused) return { kind: 'failed', error: error.message };
    return failedBy(error);
  }
}

/** Request Timeout, Too Early, Too Many Requests: the same request may succeed later. */
const temporary: ReadonlySet<number> = new Set([408, 425, 429]);

function judged(status: number, retryAfterMs: number | undefined): Attempt {
  if (status >= 200 && status < 300) return { kind: 'delivered', status };
  const error = `answered ${status}`;
  if (status >= 400 && status < 500 && !temporary.has(status)) return { kind: 'refused', error, status };
  return { kind: 'failed', error, status, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
}

function ownHost(text: string): string {
  const { hostname, port, protocol } = new URL(text);
  return `${hostname}:${port === '' ? (protocol === 'https:' ? '443' : '80') : port}`;
}
