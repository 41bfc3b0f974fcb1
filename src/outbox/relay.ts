import type { Knex } from 'knex';
import { takeEvents } from '../events/events.store.js';
import type { NewEvent } from '../events/kinds.js';
import { linkedData } from '../events/links.js';
import { inTransaction } from '../storage/database.js';
import type { Encryption } from '../storage/encryption.js';
import { enqueue } from './outbox.store.js';

const atOnce = 100;

/**
 * Moves events of workspaces to the outbox, whose messages are sealed. Gives how many it moved.
 * @param consoleUrl where the console is, for their links
 */
export const relayEvents = (database: Knex, encryption: Encryption, consoleUrl: string): Promise<number> =>
  inTransaction(database, async (transaction) => {
    const events = await takeEvents(transaction, atOnce);
    const messages = events.flatMap(({ id, tenantId, workspaceId, kind, data, createdAt }) => {
      if (tenantId === null) return [];
      const linked = linkedData(consoleUrl, kind, JSON.parse(data) as NewEvent['data']);
      const body = JSON.stringify({ type: kind, timestamp: createdAt.toISOString(), data: linked });
      return [{ id, tenantId, inquiryId: null, content: { channel: 'EVENT' as const, workspaceId, body } }];
    });
    await enqueue({ connection: transaction, encryption }, messages);
    return events.length;
  });
