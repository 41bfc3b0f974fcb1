import type { IncomingHttpHeaders } from 'node:http';
import { Webhook } from 'standardwebhooks';
import { setCallback } from '../../src/outbox/callbacks.js';
import { listMessages, type MessageSummary, type State } from '../../src/outbox/operate.js';
import type { Store } from './factories.js';
import type { Seen } from './target-server.js';

/** An event as a tenant's system reads it. */
export interface TestEvent {
  readonly type: string;
  readonly timestamp: string;
  readonly data: { readonly inquiryId: string; readonly externalId: string | null } & Readonly<Record<string, unknown>>;
}

/** Gives the tenant a callback; returns its signing secret. */
export async function buildCallback(store: Store, tenantId: string, url: string): Promise<string> {
  const { secret } = await setCallback(store, { tenantId, url });
  if (secret === null) throw new Error('the tenant has a callback already');
  return secret;
}

/** Checks a delivery as the receivers of Standard Webhooks do, and gives the event. Throws for a wrong signature. */
export function verified(secret: string, { headers, body }: Pick<Seen, 'headers' | 'body'>): TestEvent {
  return new Webhook(secret).verify(body, onlyTexts(headers)) as TestEvent;
}

const onlyTexts = (headers: IncomingHttpHeaders): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );

/** The tenant's messages, oldest first. */
export async function messagesOf(store: Store, tenantId: string, state?: State): Promise<MessageSummary[]> {
  const found = await listMessages(store.database, { tenantId, state }, { size: 5000, olderThan: undefined });
  return found.reverse();
}

/** Waits until `ready` gives something; fails after `ms`. */
export async function eventually<T>(ready: () => T | Promise<T>, ms = 8000): Promise<NonNullable<T>> {
  const deadline = performance.now() + ms;
  for (;;) {
    const value = await ready();
    if (value !== undefined && value !== null && value !== false) return value;
    if (performance.now() > deadline) throw new Error(`not within ${ms} ms: ${ready.toString()}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
