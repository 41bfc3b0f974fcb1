import { Readable } from 'node:stream';
import { pause } from '../../clock/timers.js';
import { Refusal } from '../failures.js';

/** One request, ready to be sent. */
export interface Exchange {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Sent one piece after the other. */
  readonly body?: readonly (string | Uint8Array)[] | undefined;
  /** Called for each piece of the body that is on its way. */
  readonly onSent?: (() => void) | undefined;
  /** The answer, where it is no refusal, is given in `pieces`: it may be of any length. */
  readonly inPieces?: boolean;
}

export interface RawAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Buffer;
  readonly text: string;
  /** The answer's body where the request asked for `pieces`; empty for all others. */
  readonly pieces: AsyncIterable<Uint8Array>;
}

const tries = 3;
const longestWaitS = 10;

/**
 * Sends a request. A read that the service puts off (429 and 503 with Retry-After) is sent again, a few times; a write
 * is not, as the caller should see that it was put off.
 * @throws Refusal where the service cannot be reached; it says what was tried
 */
export async function exchange(message: Exchange, isRead: boolean): Promise<RawAnswer> {
  for (let attempt = 1; ; attempt++) {
    const answer = await sendOnce(message);
    const waitS = Number(answer.headers.get('retry-after') ?? NaN);
    const isPutOff = answer.status === 429 || answer.status === 503;
    if (!isRead || !isPutOff || attempt === tries || !(waitS <= longestWaitS)) return answer;
    await pause(waitS * 1000);
  }
}

/** Follows no redirect, which could carry the credentials to another place. */
async function sendOnce({ method, url, headers, body, onSent, inPieces = false }: Exchange): Promise<RawAnswer> {
  // Every command has a session that could send requests; those on the database send none.
  const { request } = await import('./request.js');
  const pieces = body?.map((piece) =>
    typeof piece === 'string' ? Buffer.from(piece) : Buffer.from(piece.buffer, piece.byteOffset, piece.length),
  );
  const length = pieces?.reduce((sum, piece) => sum + piece.length, 0);
  try {
    const response = await request(url, {
      method,
      headers: { ...headers, ...(length === undefined ? {} : { 'Content-Length': String(length) }) },
      body: pieces === undefined ? null : Readable.from(watched(pieces, onSent)),
    });
    const received = new Headers();
    for (const [name, value] of Object.entries(response.headers)) {
      for (const each of [value ?? []].flat()) received.append(name, each);
    }
    const status = response.statusCode;
    const isWhole = !inPieces || status >= 300;
    const bytes = isWhole ? Buffer.from(await response.body.arrayBuffer()) : Buffer.alloc(0);
    const rest = isWhole ? Readable.from([]) : toTheEnd(response.body, url);
    return { status, headers: received, bytes, text: bytes.toString(), pieces: rest };
  } catch (error) {
    const { origin } = new URL(url);
    throw new Refusal(`the server at ${origin} cannot be reached (${reasonOf(error)}). Tried: ${method} ${url}`);
  }
}

/** @throws Refusal where the connection ends before the answer */
async function* toTheEnd(body: AsyncIterable<Uint8Array>, url: string): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (error) {
    throw new Refusal(`the answer is not whole: the server at ${new URL(url).origin} cut it off (${reasonOf(error)}).`);
  }
}

function* watched(pieces: readonly Buffer[], onSent: () => void = () => undefined): Generator<Buffer> {
  for (const piece of pieces) {
    yield piece;
    onSent();
  }
}

/** A name with several IP addresses has a reason for each. */
function reasonOf(error: unknown): string {
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error;
  if (!(first instanceof Error)) return String(first);
  return 'code' in first && typeof first.code === 'string' ? first.code : first.message;
}
