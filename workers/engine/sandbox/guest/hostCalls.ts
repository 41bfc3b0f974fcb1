import { read } from './json.js';
import type { Op } from './ops.js';

/** The host's function: answers a number, JSON text, or nothing. */
export type HostCall = (op: Op, text?: string) => unknown;

interface Waiting {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** What the host answers with, as JSON. */
export interface Reply {
  readonly value?: unknown;
  readonly error?: string;
}

/** Requests to the host that it answers asynchronously. */
export interface Questions {
  readonly ask: (op: Op, text: string) => Promise<unknown>;
  /** Called by the host. */
  readonly deliver: (id: number, text: string) => void;
}

export function questions(host: HostCall): Questions {
  const waiting = new Map<number, Waiting>();
  return {
    ask: (op, text) =>
      new Promise((resolve, reject) => {
        const id = host(op, text);
        if (typeof id === 'number') waiting.set(id, { resolve, reject });
        else reject(new Error('the host does not answer any more'));
      }),
    deliver: (id, text) => {
      const waiter = waiting.get(id);
      if (waiter === undefined) return;
      waiting.delete(id);
      const reply = read(text) as Reply;
      if (reply.error === undefined) waiter.resolve(reply.value);
      else waiter.reject(new Error(reply.error));
    },
  };
}
