import { textBytes, type Reservation } from '../admission/byteBudget.js';
import { sendStream, type StreamedReply } from '../http/server/answerSink.js';
import type { HttpContext } from '../http/server/context.js';
import { send, type Reply } from '../http/server/response.js';
import type { Scheduler } from '../admission/scheduler.js';

/** An answer in pieces, each of which is made when the client has taken the one before it. */
export interface TextsReply {
  readonly status: 200;
  readonly contentType: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly texts: AsyncIterable<string>;
}

interface Sending {
  readonly reservation: Reservation;
  readonly scheduler: Pick<Scheduler, 'yieldToLive'>;
}

/** Sends an answer of any kind. A promise where it is sent in parts, of all of them. */
export function sendReply(
  ctx: HttpContext,
  reply: Reply | StreamedReply | TextsReply,
  sending: Sending,
): Promise<void> | void {
  if ('write' in reply) return sendStream(ctx, reply);
  if ('texts' in reply) return sendTexts(ctx, reply, sending);
  return send(ctx, reply, sending);
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
