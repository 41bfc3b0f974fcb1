const second = 1000;
const hour = 60 * 60 * second;

/** Bound of Retry-After, so that a receiver's mistake does not lose a message. */
const longestRetryAfterMs = 24 * hour;

/**
 * How long to wait after a failed attempt: the schedule's delay with 20 % of jitter, so that messages that failed
 * together are not retried together, and never less than the receiver asked for. Undefined when that was the last
 * attempt.
 * @param attempt 1 for the first
 */
export function retryDelayMs(
  delaysMs: readonly number[],
  attempt: number,
  {
    retryAfterMs = 0,
    random = Math.random,
  }: { readonly retryAfterMs?: number | undefined; readonly random?: () => number },
): number | undefined {
  const delay = delaysMs[attempt - 1];
  if (delay === undefined) return undefined;
  return Math.round(Math.max(delay * (0.8 + 0.4 * random()), Math.min(retryAfterMs, longestRetryAfterMs)));
}

/** Milliseconds of a Retry-After header: seconds or a date (RFC 9110, section 10.2.3). Undefined when it is neither. */
export function parseRetryAfter(text: string | undefined, now: number): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,9}$/.test(text.trim())) return Number(text) * second;
  const date = /\d{2}:\d{2}:\d{2}/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
