import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';
import { problems, type ProblemCode } from '../../src/errors.js';
import { ownTime } from './ownTime.js';

/** What became of one request. */
interface Ending {
  /** Milliseconds on the clock of `performance.now()`. */
  readonly at: number;
  readonly ms: number;
  /** The same in time that this process lived through itself. */
  readonly ownMs: number;
  /** 201, with the execution's id. */
  readonly id: string | undefined;
  readonly requestId: string;
  /** A code of contract.md; `network` when no answer came; else what came, in short, which no client should see. */
  readonly code: string | undefined;
}

export interface LoadOptions {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Requests that are under way at once. */
  readonly loops: number;
  /** Between two requests of a loop. */
  readonly pauseMs: number;
}

/** Executions, one after the other in each of several loops, until told to stop. */
export interface Load {
  readonly endings: readonly Ending[];
  stop(): Promise<void>;
}

/** Nothing may take longer, whatever is broken. */
const longestMs = 60_000;

export function startLoad({ url, headers, loops, pauseMs }: LoadOptions): Load {
  const endings: Ending[] = [];
  let going = true;

  const once = async (x: number): Promise<void> => {
    const [start, took] = [performance.now(), ownTime()];
    const requestId = randomUUID();
    const { id, code } = await send(url, { ...headers, 'X-Request-Id': requestId }, x);
    const at = performance.now();
    endings.push({ at, ms: at - start, ownMs: took(), id, code, requestId });
  };
  const loop = async (): Promise<void> => {
    for (let x = 0; going; x++) {
      await once(x);
      if (pauseMs > 0) await sleep(pauseMs);
    }
  };
  const running = Array.from({ length: loops }, loop);
  return {
    endings,
    async stop() {
      going = false;
      await Promise.all(running);
    },
  };
}

async function send(
  url: string,
  headers: Readonly<Record<string, string>>,
  x: number,
): Promise<Pick<Ending, 'id' | 'code'>> {
  try {
    const response = await request(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify({ fact: { x } }),
      signal: AbortSignal.timeout(longestMs),
    });
    const text = await response.body.text();
    const body = JSON.parse(text) as { id?: string; code?: string; result?: { y?: number } };
    if (response.statusCode === 201 && body.id !== undefined) {
      return body.result?.y === 2 * x ? { id: body.id, code: undefined } : failure(`wrong result ${text}`);
    }
    const known = isCode(body.code) && problems[body.code].status === response.statusCode;
    return failure(known ? body.code : `${response.statusCode} ${text.slice(0, 200)}`);
  } catch (error) {
    return failure((error as Error).name === 'TimeoutError' ? `no answer in ${longestMs} ms` : 'network');
  }
}

const failure = (code: string | undefined): Pick<Ending, 'id' | 'code'> => ({ id: undefined, code });

const isCode = (code: string | undefined): code is ProblemCode => code !== undefined && code in problems;
