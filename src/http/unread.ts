import type { Socket } from 'node:net';
import { Problem } from '../errors.js';
import type { HttpContext } from './context.js';

/** Smaller answers are not counted; what a connection may pipeline bounds those. */
const countedBytes = 65_536;

/** Counts the large answers that their clients have not read yet, over all connections. */
export interface Unread {
  /**
   * To be asked before an answer is sent. Throws `overloaded` when it is one to a GET, which changed nothing, and would be
   * too much beside what is unread already.
   * @param bytes of the answer's body
   */
  add(ctx: HttpContext, bytes: number): void;
}

/** @param maxBytes that may be unread at once */
export function createUnread(maxBytes: number): Unread {
  let total = 0;
  const sums = new WeakMap<Socket, { bytes: number }>();

  const sumOf = (socket: Socket): { bytes: number } => {
    const known = sums.get(socket);
    if (known !== undefined) return known;
    const sum = { bytes: 0 };
    sums.set(socket, sum);
    // Node says nothing of answers that were behind another one (pipelining).
    socket.once('close', () => {
      total -= sum.bytes;
      sum.bytes = 0;
    });
    return sum;
  };

  return {
    add(ctx, bytes) {
      const { socket } = ctx.req;
      if (bytes < countedBytes || socket.destroyed) return;
      if (ctx.method === 'GET' && total + bytes > maxBytes) {
        throw new Problem('overloaded', 'Too many long answers wait for their clients to read them.', {
          retryAfter: 1,
        });
      }
      const sum = sumOf(socket);
      sum.bytes += bytes;
      total += bytes;
      ctx.res.once('finish', () => {
        // Nothing is left of it where the connection closed first.
        const left = Math.min(bytes, sum.bytes);
        sum.bytes -= left;
        total -= left;
      });
    },
  };
}
