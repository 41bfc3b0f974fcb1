import type { ServerResponse } from 'node:http';
import { formatJson } from '../../../workers/json/index.js';
import { nextRound } from '../../clock/timers.js';
import type { HttpContext } from './context.js';
import type { Socket } from 'node:net';
import { textBytes, type ByteBudget, type Reservation } from '../../admission/byteBudget.js';
import type { Owner } from '../../admission/owners.js';
import type { Scheduler } from '../../admission/scheduler.js';
import { sendStream, type StreamedReply } from './answerSink.js';

/** Characters of a large text that are written in one round of the event loop. */
const sliceLength = 65_536;

/** Status and headers of an answer; `Content-Type` is JSON's unless it is given. */
interface AnswerHead {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

export interface Reply extends AnswerHead {
  /** An object is serialised; a string is JSON text already; bytes are a file, of the type that the headers name. */
  readonly body?: object | string | Uint8Array;
}

/** An answer in pieces, each of which is made when the client has taken the one before it. */
export interface TextsReply {
  readonly status: 200;
  readonly contentType: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly texts: AsyncIterable<string>;
}

/** Sends an answer as it is, without Koa's handling after the last middleware, because status, type and length are known. */
export function sendText(ctx: HttpContext, head: AnswerHead, body: string | Buffer | undefined): void {
  const bytes = body === undefined ? undefined : Buffer.byteLength(body);
  if (beginAnswer(ctx, head, bytes)) ctx.res.end(body);
}

/** Sends an answer of many bytes in slices, one in a round of the event loop. */
async function sendSliced(ctx: HttpContext, head: AnswerHead, text: string): Promise<void> {
  if (beginAnswer(ctx, head, Buffer.byteLength(text))) await writeSlices(ctx.res, text);
}

/**
 * Writes the head as one list of names and values, which takes Node a third of the time that headers set one by one take.
 * False where the client has an answer already, or is gone.
 */
function beginAnswer(ctx: HttpContext, { status, headers }: AnswerHead, bytes: number | undefined): boolean {
  const { res } = ctx;
  const head = ['X-Request-Id', ctx.state.requestId];
  for (const name in headers) head.push(name, headers[name] ?? '');
  if (bytes !== undefined) {
    if (headers?.['Content-Type'] === undefined) head.push('Content-Type', 'application/json; charset=utf-8');
    head.push('Content-Length', String(bytes));
  }
  if (res.headersSent) return false;
  res.statusCode = status;
  if (!ctx.writable) return false;
  res.writeHead(status, head);
  return true;
}

/** Writes bytes: of a string, Node would keep both the string and its bytes until they are sent. */
async function writeSlices(res: ServerResponse, text: string): Promise<void> {
  for (let at = 0; at < text.length && !res.destroyed;) {
    const end = at + sliceLength;
    const splitsPair = (text.charCodeAt(end - 1) & 0xfc00) === 0xd800;
    const slice = text.slice(at, splitsPair ? end + 1 : end);
    res.write(Buffer.from(slice));
    at += slice.length;
    await nextRound();
  }
  res.end();
}

/** Estimated bytes of any request without its body: headers, objects, a small response. */
export const requestBytes = 8 * 1024;

/** The reservations of each connection whose responses have not been sent completely. */
const unsent = new WeakMap<Socket, Set<Reservation>>();

/**
 * Opens a request's reservation. It ends once the handler has released it and the last byte of the response was handed
 * to the operating system, or the connection has closed. Throws `overloaded`.
 * @param owner name of the account: by whom what is in flight is shared
 */
export function reserve(budget: ByteBudget, ctx: HttpContext, owner: string | Owner): Reservation {
  const reservation = budget.reserve(owner, requestBytes);
  const { socket } = ctx.req;
  if (socket.destroyed) {
    reservation.end();
    return reservation;
  }
  const reservations = unsentOf(socket);
  reservations.add(reservation);
  reservation.retain();
  ctx.res.once('finish', () => {
    if (reservations.delete(reservation)) over(reservation);
  });
  return reservation;
}

function unsentOf(socket: Socket): Set<Reservation> {
  const known = unsent.get(socket);
  if (known !== undefined) return known;
  const reservations = new Set<Reservation>();
  unsent.set(socket, reservations);
  // Node emits nothing for responses that were queued behind another one (pipelining).
  socket.once('close', () => {
    for (const reservation of reservations) over(reservation);
    reservations.clear();
  });
  return reservations;
}

function over(reservation: Reservation): void {
  reservation.release();
  reservation.end();
}

interface Sending {
  readonly reservation: Reservation;
  readonly scheduler: Pick<Scheduler, 'yieldToLive'>;
}

/**
 * Sends an answer of any kind.
 * @returns undefined once it is handed over; a promise of that where it is large, or sent while it is made
 */
export function send(
  ctx: HttpContext,
  reply: Reply | StreamedReply | TextsReply,
  sending: Sending,
): Promise<void> | undefined {
  if ('write' in reply) return sendStream(ctx, reply);
  if ('texts' in reply) return sendTexts(ctx, reply, sending);
  return sendWhole(ctx, reply, sending);
}

/** From this many bytes on a response is bulk work, and sent in slices. */
const largeAnswer = 65_536;

/**
 * The reservation shrinks to the answer's bytes. Throws `overloaded`, and sends nothing, when a GET's response exceeds what its
 * caller may hold; other methods may have changed something and are always answered.
 */
function sendWhole(
  ctx: HttpContext,
  { status, body, headers }: Reply,
  { reservation, scheduler }: Sending,
): Promise<void> | undefined {
  if (body instanceof Uint8Array) {
    reservation.resize(requestBytes + body.length);
    sendText(ctx, { status, headers }, Buffer.from(body.buffer, body.byteOffset, body.length));
    return undefined;
  }
  const text = typeof body === 'object' ? formatJson(body) : body;
  const bytes = text === undefined ? 0 : Buffer.byteLength(text);
  const beyond = requestBytes + bytes - reservation.bytes;
  // What was reserved to make the answer is its room: work that was done is not done in vain. Only beyond it may it be refused.
  if (ctx.req.method === 'GET' && beyond > 0) reservation.grow(beyond);
  reservation.resize(requestBytes + bytes);
  if (text !== undefined && bytes >= largeAnswer) {
    return scheduler.yieldToLive(reservation.owner, () => sendSliced(ctx, { status, headers }, text));
  }
  sendText(ctx, { status, headers }, text);
  return undefined;
}

/** About what an answer holds at once: what was read for a piece, and what its client has not taken. */
const pieceBytes = 1024 * 1024;
/** An answer that is not whole after so long is cut off: else a client that reads slowly would hold its place for good. */
const longestMs = 600_000;

/**
 * Sends an answer of any length, with the memory of one piece, which is reserved. Each piece gives way to live work. What the
 * first piece fails with, and `overloaded`, is thrown before anything is sent; later, the answer is cut off.
 */
async function sendTexts(
  ctx: HttpContext,
  { texts, ...head }: TextsReply,
  { reservation, scheduler }: Sending,
): Promise<void> {
  reservation.grow(pieceBytes);
  const iterator = texts[Symbol.asyncIterator]();
  const next = () => scheduler.yieldToLive(reservation.owner, () => iterator.next());
  const until = performance.now() + longestMs;
  const first = await next();
  let isWorking = true;
  await sendStream(ctx, {
    ...head,
    isWorking: () => isWorking,
    async write(sink) {
      // Of a HEAD request nothing is sent, however long the answer is.
      const isOver = (): boolean => ctx.res.destroyed || ctx.req.method === 'HEAD';
      for (let step = first; step.done !== true && !isOver(); step = await next()) {
        if (performance.now() > until) throw new Error(`the answer was not whole after ${longestMs / 1000} s`);
        reservation.resize(pieceBytes + textBytes(step.value));
        isWorking = false;
        await sink.write(step.value, () => undefined);
        isWorking = true;
      }
      await iterator.return?.();
    },
  });
}
