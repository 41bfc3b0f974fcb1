import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { StreamedReply } from '../routes/operation.js';
import type { HttpContext } from './context.js';

/** Where an answer goes while it is made. */
export interface AnswerSink {
  /** Resolves when more may be written; undefined where that is now. @param sent called when the text has left, or never will */
  write(text: string, sent: () => void): Promise<void> | undefined;
  /** True once nobody can read any more. */
  readonly gone: boolean;
}

/**
 * Sends the head, and then what the reply writes, in pieces. The client may still be sending its request meanwhile. An
 * answer that fails midway is cut off: what is missing at its end tells the client.
 */
export async function sendStream(
  ctx: HttpContext,
  { status, contentType, isWorking, write }: StreamedReply,
): Promise<void> {
  const { res } = ctx;
  ctx.respond = false;
  if (!ctx.writable) return;
  res.writeHead(status, { 'Content-Type': contentType });
  res.flushHeaders();
  // Nothing has moved on the connection for long (server.ts); a client that neither sends nor reads is not waited for.
  res.on('timeout', () => {
    if (!isWorking()) res.destroy();
  });
  try {
    await write(sinkOf(res));
    if (!res.destroyed) res.end();
  } catch (error) {
    ctx.state.cause = error;
    res.destroy();
  }
}

function sinkOf(res: ServerResponse): AnswerSink {
  return {
    write(text, sent) {
      if (res.destroyed) {
        sent();
        return undefined;
      }
      return res.write(text, sent) ? undefined : drained(res);
    },
    get gone() {
      return res.destroyed || res.socket?.destroyed === true;
    },
  };
}

/** Resolves too when the connection has closed, which no drain comes after. */
function drained(res: ServerResponse): Promise<void> {
  const over = new AbortController();
  const { signal } = over;
  return Promise.race([once(res, 'drain', { signal }), once(res, 'close', { signal })])
    .then(() => undefined)
    .finally(() => over.abort());
}
