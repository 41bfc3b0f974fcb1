import type { Encryption } from '../storage/encryption.js';
import type { SealedTable } from '../storage/sealedTable.js';

export type Channel = 'SMS' | 'EMAIL' | 'WEBHOOK' | 'EVENT';

/** What goes to a person, and is listed by its inquiry. */
export const isNotification = <C extends { readonly channel: Channel }>(
  message: C,
): message is C & { readonly channel: 'SMS' | 'EMAIL' } => message.channel === 'SMS' || message.channel === 'EMAIL';

/** A text for a person; every `$link` in `message` stands for `link`. */
interface NotificationContent {
  readonly channel: 'SMS' | 'EMAIL';
  readonly to: string;
  readonly message: string;
  readonly link: string;
}

/** An event for the tenant's callback: the exact bytes that are signed, at every attempt. */
interface WebhookContent {
  readonly channel: 'WEBHOOK';
  readonly body: string;
}

/** What is sent to the callback of a workspace. */
interface EventContent {
  readonly channel: 'EVENT';
  readonly workspaceId: string;
  readonly body: string;
}

/**
 * What is to be sent. It is encrypted at rest, because it holds personal data and a link that only its person should
 * have.
 */
export type Content = NotificationContent | WebhookContent | EventContent;

/** Binds the encrypted content to its message: it can't be decrypted for another one. */
interface MessageRef {
  readonly id: string;
  readonly tenantId: string;
}

const contextOf = ({ id, tenantId }: MessageRef): string => `outbox/${tenantId}/${id}`;

export const sealedMessages: SealedTable = {
  table: 'outbox',
  key: ['id'],
  also: ['tenant_id'],
  contexts: { content: ({ id }) => contextOf({ id: id('id'), tenantId: id('tenant_id') }) },
};

export const sealContent = (encryption: Encryption, ref: MessageRef, content: Content): Buffer =>
  encryption.seal(JSON.stringify(content), contextOf(ref));

/** Throws when the key is another or the bytes are damaged. */
export const openContent = (encryption: Encryption, ref: MessageRef, sealed: Buffer): Content =>
  JSON.parse(encryption.open(sealed, contextOf(ref))) as Content;
