import { createHistogram } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent } from 'undici';
import type { Target } from './load.js';

/** What came of requests that were sent at a steady rate. */
export interface Steady {
  readonly longestMs: number;
  readonly p99Ms: number;
  readonly answered: number;
  /** Whatever was not answered with 201, by status and code. */
  readonly others: Readonly<Record<string, number>>;
}

/** After that a request is lost. */
const longestMs = 120_000;

/**
 * Sends a request at a steady rate, whether those before it were answered or not, as many callers do: a server that stands
 * still makes all of them wait, and a caller that waited for each answer would see one of them.
 */
export async function steadily(
  { url, headers, body }: Target,
  { perSecond, seconds }: { readonly perSecond: number; readonly seconds: number },
): Promise<Steady> {
  const times = createHistogram({ figures: 3 });
  const others: Record<string, number> = {};
  const agent = new Agent({ headersTimeout: longestMs, bodyTimeout: longestMs });
  const { origin, pathname: path } = new URL(url);
  const send = async (): Promise<void> => {
    // Not from when it was due: what this process is late is not the server's.
    const from = performance.now();
    const label = await agent.request({ origin, path, method: 'POST', headers, body }).then(
      async (answer) => {
        const text = await answer.body.text();
        return answer.statusCode === 201 ? '' : `${answer.statusCode} ${/"code":"(\w+)"/.exec(text)?.[1] ?? ''}`;
      },
      () => 'lost',
    );
    if (label === '') times.record(Math.max(1, Math.round((performance.now() - from) * 1000)));
    else others[label] = (others[label] ?? 0) + 1;
  };
  const start = performance.now();
  const sent: Promise<void>[] = [];
  for (let number = 0; number < perSecond * seconds; number++) {
    const due = start + (number * 1000) / perSecond;
    await sleep(Math.max(0, due - performance.now()));
    sent.push(send());
  }
  await Promise.all(sent);
  await agent.destroy();
  const { count, max } = times;
  return {
    longestMs: count === 0 ? Infinity : max / 1000,
    p99Ms: count === 0 ? Infinity : times.percentile(99) / 1000,
    answered: count,
    others,
  };
}
