import { createConnection, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { ownTime } from './ownTime.js';

/** What is written to a connection: text (each character one byte), bytes, or a pause in milliseconds. */
export type Piece = string | Buffer | number;

export interface RawAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** All that came of one connection. */
export interface Exchange {
  readonly answers: readonly RawAnswer[];
  /** What was left that is no whole answer; nothing, unless something is wrong. */
  readonly rest: string;
  /** Whether the server ended the connection. */
  readonly closed: boolean;
  /** From the connection to its end, or to the last answer that was waited for. */
  readonly ms: number;
  /** The same in time that this process lived through itself. */
  readonly ownMs: number;
}

export interface ExchangeOptions {
  readonly port: number;
  readonly pieces: readonly Piece[];
  /** Methods of the requests sent, in order: an answer to HEAD has no body. `GET` where left out. */
  readonly methods?: readonly string[] | undefined;
  /** So many final answers end the wait, after a moment in which nothing more should come. */
  readonly answers?: number;
  /** The longest wait. */
  readonly withinMs?: number | undefined;
}

/** For a further answer that should not come, and for the end of the connection. */
const momentMs = 60;

/** Writes to a connection of its own, whatever it is, and reads what comes back. Rejects only when nothing listens. */
export async function exchange(options: ExchangeOptions): Promise<Exchange> {
  const { port, pieces, methods = [], answers = Infinity, withinMs = 15_000 } = options;
  const socket = await connect(port);
  const [started, took] = [performance.now(), ownTime()];
  const chunks: Buffer[] = [];
  const state = { closed: false };
  let stir = (): void => undefined;
  socket.on('data', (chunk) => {
    chunks.push(chunk);
    stir();
  });
  for (const event of ['end', 'close', 'error'])
    socket.on(event, () => {
      state.closed = true;
      stir();
    });
  const read = (): Reading => readAnswers(Buffer.concat(chunks).toString('latin1'), methods);
  const stirred = (ms: number): Promise<unknown> =>
    Promise.race([new Promise<void>((resolve) => (stir = resolve)), sleep(ms, undefined, { ref: false })]);

  void write(socket, pieces);
  let left = withinMs;
  while (!state.closed && left > 0 && read().answers.filter(({ status }) => status >= 200).length < answers) {
    await stirred(left);
    left = withinMs - (performance.now() - started);
  }
  const ms = performance.now() - started;
  const ownMs = took();
  for (const until = performance.now() + momentMs; !state.closed && performance.now() < until;) await stirred(momentMs);
  socket.destroy();
  return { ...read(), closed: state.closed, ms, ownMs };
}

/** A connection, or a rejection when it is refused. */
export async function connect(port: number): Promise<Socket> {
  const socket = createConnection({ port, host: '127.0.0.1', noDelay: true });
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('error', reject);
  });
  socket.removeAllListeners('error');
  return socket;
}

async function write(socket: Socket, pieces: readonly Piece[]): Promise<void> {
  for (const piece of pieces) {
    if (!socket.writable) return;
    if (typeof piece === 'number') await sleep(piece, undefined, { ref: false });
    else socket.write(typeof piece === 'string' ? Buffer.from(piece, 'latin1') : piece);
  }
}

interface Reading {
  readonly answers: RawAnswer[];
  readonly rest: string;
}

/** Splits what came into answers (RFC 9112, section 6.3), as far as the service's own answers need it. */
function readAnswers(text: string, methods: readonly string[]): Reading {
  const answers: RawAnswer[] = [];
  let rest = text;
  for (;;) {
    const end = rest.indexOf('\r\n\r\n');
    const [line = '', ...fields] = rest.slice(0, end).split('\r\n');
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(`${line} `)?.[1]);
    if (end === -1 || Number.isNaN(status)) return { answers, rest };
    const headers = Object.fromEntries(
      fields.map((field) => [
        field.slice(0, field.indexOf(':')).toLowerCase(),
        field.slice(field.indexOf(':') + 1).trim(),
      ]),
    );
    const final = answers.filter((answer) => answer.status >= 200).length;
    const bodyless = status < 200 || status === 204 || status === 304 || methods[final] === 'HEAD';
    const length = bodyless ? 0 : Number(headers['content-length'] ?? 0);
    const body = rest.slice(end + 4, end + 4 + length);
    if (body.length < length) return { answers, rest };
    answers.push({ status, headers, body });
    rest = rest.slice(end + 4 + length);
  }
}
