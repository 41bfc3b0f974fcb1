import type { Encryption } from '../storage/encryption.js';
import { failedBy, type Attempt, type SendNotification } from './attempt.js';
import { isNotification, openContent, type Content } from './message.js';
import type { Claimed } from './outbox.store.js';
import type { Callback, SendWebhook } from './transports/webhook.js';

/** How messages reach people and tenants' systems. */
export interface Transports {
  readonly SMS: SendNotification;
  readonly EMAIL: SendNotification;
  readonly WEBHOOK: SendWebhook;
}

interface Sending {
  readonly encryption: Encryption;
  readonly transports: Transports;
  /** The callback of a workspace; undefined where it was removed. */
  readonly callbackOf: (workspaceId: string) => Promise<Callback | undefined>;
}

/** Sends one claimed message, once. Never rejects, whatever the message holds. */
export async function deliver(
  { encryption, transports, callbackOf }: Sending,
  {
    message,
    callback,
  }: {
    readonly message: Pick<Claimed, 'id' | 'tenantId' | 'content'>;
    readonly callback: Callback | Error | undefined;
  },
  signal: AbortSignal,
): Promise<Attempt> {
  let content: Content;
  try {
    content = openContent(encryption, message, message.content);
  } catch {
    return { kind: 'refused', error: 'the content cannot be opened: damaged, or sealed with another ENCRYPTION_KEY' };
  }
  const { id } = message;
  try {
    if (isNotification(content)) {
      const { to, link } = content;
      return await transports[content.channel](
        { id, to, text: content.message.replaceAll('$link', () => link), link },
        signal,
      );
    }
    if (content.channel === 'EVENT') {
      const own = await callbackOf(content.workspaceId);
      if (own === undefined) return { kind: 'refused', error: 'the workspace has no callback' };
      return await transports.WEBHOOK({ id, body: content.body }, own, signal);
    }
    if (callback === undefined) return { kind: 'refused', error: 'the tenant has no callback' };
    if (callback instanceof Error) return { kind: 'failed', error: callback.message };
    return await transports.WEBHOOK({ id, body: content.body }, callback, signal);
  } catch (error) {
    return failedBy(error);
  }
}
