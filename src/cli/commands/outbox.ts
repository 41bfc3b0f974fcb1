import { findTenantOf } from '../../inquiries/admin.store.js';
import {
  countMessages,
  dropMessages,
  listMessages,
  replayMessages,
  states,
  type Selection,
} from '../../outbox/admin.js';
import { listTenants } from '../../workspaces/tenants.store.js';
import { command, type CommandGroup } from '../command.js';
import { Refusal, UsageError } from '../failures.js';
import { choice, flag, id, many, parseId, recent } from '../params.js';
import type { Session } from '../session.js';
import { tableOf } from '../tableOf.js';

const ofTenant = { tenant: id('--tenant <id>', "this tenant's alone") };
const chosen = { ids: many('[message...]', 'their ids', parseId) };
const choosing = { all: flag('--all', 'all dead letters'), ...ofTenant };

interface Choice {
  readonly ids: readonly string[] | undefined;
  readonly all: boolean | undefined;
  readonly tenant: string | undefined;
}

/**
 * What was chosen: messages by their ids, all or nothing, since one wrong id suggests that the others may be wrong too; else
 * all dead letters.
 */
async function selected(
  session: Session,
  { ids = [], all = false, tenant: tenantId }: Choice,
  { condition, otherwise }: { readonly condition: Partial<Selection>; readonly otherwise: string },
): Promise<Selection> {
  if (ids.length > 0 === all) throw new UsageError('give either ids of messages or --all.');
  if (all) {
    const tenants = tenantId === undefined ? [] : await listTenants(await session.database());
    if (tenantId !== undefined && !tenants.some(({ id }) => id === tenantId))
      throw new Refusal(`There is no tenant ${tenantId}.`);
    return { tenantId, state: 'dead' };
  }
  const selection = { ...condition, tenantId, ids: [...new Set(ids)] };
  const found = await listMessages(await session.database(), selection, { size: ids.length, olderThan: undefined });
  const missing = selection.ids.filter((id) => !found.some((message) => message.id === id));
  if (missing.length > 0) throw new Refusal(missing.map((id) => `${id} ${otherwise}.`).join('\n'));
  return selection;
}

async function workOn(session: Session, label: string, selection: Selection, work: typeof dropMessages) {
  const stores = await session.stores();
  const total = await countMessages(stores.database, selection);
  return session.during(label, total, (advance) => work(stores, selection, advance));
}

export const outboxCommands: CommandGroup = {
  groups: { outbox: 'texts, mails and events that are to be sent; those given up are dead letters' },
  commands: [
    command({
      name: 'outbox list',
      about:
        'list messages, newest first; what needs no sending any more is kept for 7 days, and as long as its inquiry names it',
      examples: ['outbox list --state dead', 'outbox list --inquiry 0190… --json'],
      where: 'here',
      options: {
        ...ofTenant,
        inquiryId: id('--inquiry <id>', 'of this inquiry alone'),
        state: choice('--state <state>', 'those in this state alone', states),
        size: recent.size,
        olderThan: id('--older-than <id>', 'continue after this message'),
      },
      async run({ session }, { tenant, inquiryId, state, size, olderThan }) {
        const database = await session.database();
        // The index of an inquiry's messages begins with the tenant.
        const tenantId = tenant ?? (inquiryId && (await findTenantOf(database, inquiryId)));
        return listMessages(database, { tenantId, inquiryId, state }, { size, olderThan });
      },
      document: (messages) => ({ messages }),
      text: (messages) =>
        tableOf(
          {
            created: 'createdAt',
            state: 'state',
            channel: 'channel',
            attempts: 'attempts',
            due: 'dueAt',
            error: 'error',
            inquiry: 'inquiryId',
            id: 'id',
          },
          messages,
        ),
    }),
    command({
      name: 'outbox retry',
      about: 'send dead letters again, and what waits for its next attempt at once, under their own ids',
      examples: ['outbox retry 0190…', 'outbox retry --all --tenant 0190…'],
      where: 'here',
      args: chosen,
      options: choosing,
      async run({ session }, input) {
        const otherwise = 'is neither a dead letter nor waiting for its next attempt';
        const selection = await selected(session, input, { condition: { retryable: true }, otherwise });
        return { retried: await workOn(session, 'queueing', selection, replayMessages) };
      },
      text: ({ retried }) => `${retried} queued again`,
    }),
    command({
      name: 'outbox drop',
      about: 'delete dead letters, or any messages by their ids, for good',
      examples: ['outbox drop 0190…', 'outbox drop --all --tenant 0190…'],
      where: 'here',
      args: chosen,
      options: choosing,
      async run({ session }, input) {
        const otherwise = 'is not there, or was sent';
        const selection = await selected(session, input, { condition: { droppable: true }, otherwise });
        return { dropped: await workOn(session, 'deleting', selection, dropMessages) };
      },
      text: ({ dropped }) => `${dropped} deleted`,
    }),
  ],
};
