import { connect } from 'node:net';
import type { Executable } from '../decision.js';

/** A stream of items that goes on until it is ended. */
export interface Stream {
  /** Answers that have come. */
  readonly answered: number;
  /** How many of them were FAILED. */
  readonly failed: number;
  /** Sends no more items; resolves when the connection is closed, with whether the summary came. */
  end(): Promise<boolean>;
}

interface StreamOptions {
  readonly baseUrl: string;
  readonly executable: Pick<Executable, 'path' | 'headers'>;
  readonly fact: object;
  /** Items in all; without end unless given. */
  readonly items?: number;
}

/** Lines that are sent as one piece. */
const chunkLines = 200;
/** Lines that are on their way at most: more than the server takes up, less than the system would keep in between. */
const mostUnanswered = 10_000;
const failedMark = Buffer.from('"status":"FAILED"');

/** Sends the same item over and over, as fast as it is taken, and counts answers: load that costs little itself. */
export function openStream({ baseUrl, executable, fact, items = Infinity }: StreamOptions): Stream {
  const { hostname, port, host } = new URL(baseUrl);
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  const headers = { ...executable.headers, 'Content-Type': 'application/x-ndjson', Host: host };
  const lines = Object.entries({ ...headers, 'Transfer-Encoding': 'chunked', Connection: 'close' });
  socket.write(
    `POST ${executable.path.replace(/executions$/, 'batches')} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`,
  );
  const line = `${JSON.stringify({ fact })}\n`;
  const chunkOf = (count: number): Buffer => {
    const text = line.repeat(count);
    return Buffer.from(`${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`);
  };
  const whole = chunkOf(chunkLines);
  let left = items;
  let ending = false;
  let sent = 0;
  let answered = 0;
  let failed = 0;
  let last = '';
  const send = (): void => {
    if (ending) return;
    for (;;) {
      if (left === 0) {
        ending = true;
        socket.write('0\r\n\r\n');
        return;
      }
      if (sent - answered > mostUnanswered) return;
      const count = Math.min(left, chunkLines);
      left -= count;
      sent += count;
      if (!socket.write(count === chunkLines ? whole : chunkOf(count))) return;
    }
  };
  socket.on('connect', send);
  socket.on('drain', send);
  socket.on('data', (piece: Buffer) => {
    for (let at = piece.indexOf('{"index"'); at !== -1; at = piece.indexOf('{"index"', at + 8)) answered++;
    if (piece.includes(failedMark)) failed++;
    if (!socket.writableNeedDrain) send();
    last = piece.toString('latin1', Math.max(0, piece.length - 300));
  });
  socket.on('error', () => undefined);
  const closed = new Promise<boolean>((resolve) => {
    socket.once('close', () => resolve(last.includes('"summary"')));
  });
  return {
    get answered() {
      return answered;
    },
    get failed() {
      return failed;
    },
    end() {
      left = 0;
      if (!ending) send();
      return closed;
    },
  };
}
