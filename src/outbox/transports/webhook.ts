import type { Attempt } from '../attempt.js';
import { webhookHeaders } from '../signature.js';
import { post, type PostSettings } from './post.js';

export interface Callback {
  readonly url: string;
  /** The newest first; then the previous one, until it expires. */
  readonly secrets: readonly string[];
}

/** Sends one event to a tenant's callback, signed per Standard Webhooks. */
export type SendWebhook = (
  event: { readonly id: string; readonly body: string },
  callback: Callback,
  signal: AbortSignal,
) => Promise<Attempt>;

export function createWebhookTransport(settings: PostSettings): SendWebhook {
  return ({ id, body }, { url, secrets }, signal) => {
    const headers = webhookHeaders({ id, timestamp: Math.floor(Date.now() / 1000), body }, secrets);
    return post({ url, headers, body }, settings, signal);
  };
}
