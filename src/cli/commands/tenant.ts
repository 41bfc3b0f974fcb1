import { createTenant } from '../../access/workspaces.service.js';
import { isAuditAction } from '../../audit/actions.js';
import { allTenantEntries, listTenantEntries } from '../../audit/audit.store.js';
import {
  pingCallback,
  removeCallback,
  requireCallback,
  rotateCallbackSecret,
  setCallback,
} from '../../outbox/callbacks.js';
import { postSettings } from '../../outbox/transports.js';
import { listTenants } from '../../workspaces/tenants.store.js';
import { command, defaultSize, pageSize as size, type CommandGroup } from '../command.js';
import { exitCodes } from '../failures.js';
import { id, InvalidArgumentError, parsed, recent, required, text } from '../params.js';
import { fieldsOf, record, tableOf } from '../tableOf.js';

const onlyOnce = 'The secret is shown this once; give it to whoever checks the signatures.';
const of = { tenantId: required(id('--tenant <id>', 'the tenant')) };
const where = 'here';

function parseAction(text: string): string {
  if (!isAuditAction(text)) throw new InvalidArgumentError('It must be an action, such as `client.create`.');
  return text;
}

export const tenantCommands: CommandGroup = {
  groups: {
    tenant: 'organisations: they own workspaces and clients',
    'tenant callback': 'where a tenant hears of its inquiries: events by HTTP, signed per Standard Webhooks',
  },
  commands: [
    command({
      name: 'tenant create',
      about: 'make a tenant',
      examples: ['tenant create --name "Animal Shelter"'],
      where,
      options: { name: required(text('--name <name>', 'what people call it; 1 to 255 characters')) },
      run: async ({ session }, { name }) => createTenant(await session.stores(), name),
      text: (made) => fieldsOf({ id: 'id', name: 'name', created: 'createdAt' }, made),
    }),
    command({
      name: 'tenant list',
      about: 'list the tenants, oldest first',
      examples: ['tenant list'],
      where,
      run: async ({ session }) => listTenants(await session.database()),
      document: (tenants) => ({ tenants }),
      text: (tenants) => tableOf({ name: 'name', id: 'id', created: 'createdAt' }, tenants),
    }),
    command({
      name: 'tenant callback set',
      about: 'set the address; the first time a signing secret is made, later the secret stays',
      examples: ['tenant callback set --tenant 0190… --url https://shelter.example/verdict-events'],
      where,
      options: {
        ...of,
        url: required(text('--url <url>', 'http(s), without credentials; a private address must be in OUTBOUND_ALLOW')),
      },
      async run({ session }, { tenantId, url }) {
        const { outboundAllow } = session.config();
        const { secret = null } = await setCallback(
          await session.stores(),
          { owner: { tenantId }, url },
          outboundAllow,
        );
        if (secret !== null) session.note(onlyOnce);
        return { tenantId, url, secret };
      },
      text: ({ tenantId, url, secret }) =>
        record({ tenant: tenantId, url, secret: secret ?? 'as before (see: verdict tenant callback rotate)' }),
    }),
    command({
      name: 'tenant callback rotate',
      about: 'make a new signing secret; for 24 hours events are signed with the one before as well',
      examples: ['tenant callback rotate --tenant 0190…'],
      where,
      options: of,
      async run({ session }, { tenantId }) {
        const { secret, previousExpiresAt } = await rotateCallbackSecret(await session.stores(), { tenantId });
        session.note(onlyOnce);
        return { tenantId, secret, previousExpiresAt };
      },
      text: ({ tenantId, secret, previousExpiresAt }) =>
        record({ tenant: tenantId, secret, 'the one before signs until': previousExpiresAt }),
    }),
    command({
      name: 'tenant callback show',
      about: 'show the address; secrets are shown when they are made, and never again',
      examples: ['tenant callback show --tenant 0190…'],
      where,
      options: of,
      async run({ session }, { tenantId }) {
        const { kinds: _, ...shown } = await requireCallback(await session.database(), { tenantId });
        return { tenantId, ...shown };
      },
      text: (shown) =>
        fieldsOf(
          {
            tenant: 'tenantId',
            url: 'url',
            'the secret before signs until': 'previousExpiresAt',
            created: 'createdAt',
            updated: 'updatedAt',
          },
          shown,
        ),
    }),
    command({
      name: 'tenant callback remove',
      about: 'send the tenant no more events; those that wait become dead letters',
      examples: ['tenant callback remove --tenant 0190…'],
      where,
      options: of,
      async run({ session }, { tenantId }) {
        await removeCallback(await session.stores(), { tenantId });
        return { tenantId, removed: true };
      },
      text: ({ tenantId, removed }) => record({ tenant: tenantId, removed }),
    }),
    command({
      name: 'tenant callback test',
      about: 'send a signed event of type ping now, and say what came back; exit 1 unless that was 2xx',
      examples: ['tenant callback test --tenant 0190…'],
      where,
      options: of,
      async run({ session }, { tenantId }) {
        const settings = postSettings(session.config());
        const { id, url, attempt, ms } = await pingCallback(await session.stores(), { tenantId }, settings);
        const answer = 'error' in attempt ? attempt.error : 'status' in attempt ? `answered ${attempt.status}` : '';
        return { tenantId, url, id, delivered: attempt.kind === 'delivered', answer, ms };
      },
      text: ({ tenantId, url, id, ...came }) => record({ tenant: tenantId, url, 'webhook-id': id, ...came }),
      end: ({ delivered }) => (delivered ? undefined : exitCodes.refused),
    }),
    command({
      name: 'tenant audit',
      about: 'list who changed what belongs to no workspace (clients, inquiries, callbacks, keys), newest first',
      examples: ['tenant audit --tenant 0190… --action client.create', 'tenant audit --from 2026-01-31 --json'],
      where,
      options: {
        ...recent,
        ...{ size },
        tenantId: id('--tenant <id>', 'of this tenant alone; else of all, and of the service'),
        olderThan: id('--older-than <id>', 'continue after this entry'),
        resourceId: text('--resource <id>', 'of this resource'),
        principal: text('--principal <principal>', 'by this one, such as client:0190…'),
        action: parsed('--action <action>', 'of this kind, such as client.create', parseAction),
      },
      run: async ({ session }, { size = defaultSize, olderThan, tenantId, ...filter }) =>
        listTenantEntries(await session.database(), filter, { size, olderThan, tenantId }),
      async file({ session }, { size, olderThan, tenantId, ...filter }) {
        const { csvOf } = await import('../csvOf.js');
        const { TenantEntry } = await import('../../access/audit.schema.js');
        const connection = await session.database();
        const place = { olderThan, tenantId };
        const pages =
          size === undefined
            ? allTenantEntries(connection, filter, place)
            : [await listTenantEntries(connection, filter, { ...place, size })];
        return csvOf(TenantEntry, pages);
      },
      document: (entries) => ({ entries }),
      text: (entries) =>
        tableOf(
          {
            at: 'at',
            action: 'action',
            resource: ({ resource }) => resource.key ?? resource.id,
            by: 'principal',
            tenant: 'tenantId',
            id: 'id',
          },
          entries,
        ),
    }),
  ],
};
