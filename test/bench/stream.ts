import { Readable } from 'node:stream';
import { request } from 'undici';
import type { Target } from './load.js';

/** A stream of items that goes on until it is ended. */
export interface Stream {
  /** Answers that have come. */
  readonly answered: number;
  /** How many of them were FAILED. */
  readonly failed: number;
  /** Sends no more items; resolves when the answer is whole, with whether the summary came. */
  end(): Promise<boolean>;
}

/** Lines that are sent as one piece. */
const chunkLines = 200;
/** Lines that are on their way at most: more than the server takes up, less than the system would keep in between. */
const mostUnanswered = 10_000;

/** Sends the same item over and over, as fast as it is taken. @param items in all; without end unless given */
export function openStream({ url, headers, body }: Target, items = Infinity): Stream {
  const stream = { answered: 0, failed: 0, ending: false };
  let wake = (): void => undefined;
  const line = `${body}\n`;
  async function* lines(): AsyncGenerator<string> {
    for (let sent = 0; sent < items && !stream.ending;) {
      if (sent - stream.answered > mostUnanswered) await new Promise<void>((resolve) => (wake = resolve));
      else {
        const count = Math.min(items - sent, chunkLines);
        sent += count;
        yield line.repeat(count);
      }
    }
  }
  const read = async (): Promise<boolean> => {
    const answer = await request(url.replace(/executions$/, 'batches'), {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/x-ndjson' },
      body: Readable.from(lines()),
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    let last = '';
    for await (const piece of answer.body as AsyncIterable<Buffer>) {
      stream.answered += occurrences(piece, '{"index"');
      stream.failed += occurrences(piece, '"status":"FAILED"');
      last = piece.toString('latin1', Math.max(0, piece.length - 300));
      wake();
    }
    return last.includes('"summary"');
  };
  const whole = read().catch(() => false);
  return {
    get answered() {
      return stream.answered;
    },
    get failed() {
      return stream.failed;
    },
    end() {
      stream.ending = true;
      wake();
      return whole;
    },
  };
}

function occurrences(piece: Buffer, mark: string): number {
  let count = 0;
  for (let at = piece.indexOf(mark); at !== -1; at = piece.indexOf(mark, at + mark.length)) count++;
  return count;
}
