import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { HttpContext } from './context.js';

/** Where an answer goes while it is made. */
export interface AnswerSink {
  /** Resolves when more may be written; undefined where that is now. @param sent called when the text has left, or never will */
  write(text: string | Uint8Array, sent: () => void): Promise<void> | undefined;
}

type Headers = Readonly<Record<string, string>>;

/** An answer that is written while it is made. Its writer waits while the client has not read what was written before. */
export interface StreamedReply {
  readonly status: number;
  readonly contentType: string;
  /** What is known only with the first of the body is asked then, and the head is sent with it. */
  readonly headers?: Headers | (() => Headers) | undefined;
  /** The client has to wait for the server, not the server for the client. */
  readonly isWorking: () => boolean;
  /**
   * Writes the body; it is always called, if only to find that the client has gone. What it rejects with cuts the answer
   * off, since its head is sent.
   */
  readonly write: (sink: AnswerSink) => Promise<void>;
}

/**
 * Sends the head, and then what the reply writes, in pieces. The client may still be sending its request meanwhile. An
 * answer that fails midway is cut off: what is missing at its end tells the client.
 */
export async function sendStream(
  ctx: HttpContext,
  { status, contentType, headers, isWorking, write }: StreamedReply,
): Promise<void> {
  const { res } = ctx;
  const begin = (own: Headers | undefined): void => {
    res.writeHead(status, { ...own, 'X-Request-Id': ctx.state.requestId, 'Content-Type': contentType });
    res.flushHeaders();
  };
  if (ctx.writable) {
    // The rest of a body is read while it is answered, so that the connection may stay.
    if (ctx.req.method === 'POST' || ctx.req.method === 'PUT')
      res.shouldKeepAlive = !/\bclose\b/i.test(ctx.req.headers.connection ?? '');
    if (typeof headers !== 'function') begin(headers);
  } else res.destroy();
  // The connection was silent for the server's time limit (server.ts): the client neither sends nor reads.
  res.on('timeout', () => {
    if (!isWorking()) res.destroy();
  });
  const { sink, close } = openSink(res, ctx.req.socket);
  try {
    await write({
      write(text, sent) {
        if (typeof headers === 'function' && !res.headersSent && !res.destroyed) begin(headers());
        return sink.write(text, sent);
      },
    });
    if (!res.destroyed) res.end();
  } catch (error) {
    ctx.state.cause = error;
    res.destroy();
  } finally {
    close();
  }
}

/** `close` is to be called when no more is written. */
function openSink(res: ServerResponse, socket: Socket): { readonly sink: AnswerSink; readonly close: () => void } {
  /** The callbacks of texts that have not left. */
  const unsent = new Set<() => void>();
  let closed = false;
  // Node says nothing of answers that were behind another one (pipelining).
  const settleAll = (): void => unsent.forEach((settle) => settle());
  socket.once('close', settleAll);
  const forget = (): void => {
    if (closed && unsent.size === 0) socket.off('close', settleAll);
  };
  return {
    sink: {
      write(text, sent) {
        if (res.destroyed || socket.destroyed) {
          sent();
          return undefined;
        }
        const settle = (): void => {
          if (!unsent.delete(settle)) return;
          sent();
          forget();
        };
        unsent.add(settle);
        return res.write(text, settle) ? undefined : drained(res, socket);
      },
    },
    close() {
      closed = true;
      forget();
    },
  };
}

/** Resolves too when the connection has closed, which no drain comes after. */
function drained(res: ServerResponse, socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    const over = (): void => {
      res.off('drain', over);
      socket.off('close', over);
      resolve();
    };
    res.once('drain', over);
    socket.once('close', over);
  });
}
