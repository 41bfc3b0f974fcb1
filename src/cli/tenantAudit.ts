import type { Command } from 'commander';
import { listTenantEntries } from '../audit/audit.store.js';
import { examples, parseId, withRecent, type RecentOptions } from './arguments.js';
import type { Session } from './session.js';
import { table } from './table.js';

interface ListOptions extends RecentOptions {
  readonly olderThan?: string;
  readonly resource?: string;
  readonly principal?: string;
  readonly action?: string;
}

/** `verdict tenant audit` */
export function registerTenantAudit(tenant: Command, session: Session): void {
  withRecent(tenant.command('audit'))
    .description('list who changed what belongs to no workspace (clients, inquiries, callbacks, keys), newest first')
    .option('--older-than <id>', 'continue after this entry', parseId)
    .option('--resource <id>', 'of this resource')
    .option('--principal <principal>', 'by this one, such as client:0190…')
    .option('--action <action>', 'of this kind, such as client.create')
    .addHelpText('after', examples('tenant audit --action client.create', 'tenant audit --from 2026-01-31 --json'))
    .action(async ({ size, olderThan, resource, ...others }: ListOptions) => {
      const filter = { ...others, resourceId: resource };
      const entries = await listTenantEntries(session.database(), filter, { size, olderThan });
      session.print({ entries }, () =>
        table(
          ['at', 'action', 'resource', 'by', 'tenant', 'id'],
          entries.map((entry) => [
            entry.at,
            entry.action,
            entry.resource.key ?? entry.resource.id,
            entry.principal,
            entry.tenantId ?? '',
            entry.id,
          ]),
        ),
      );
    });
}
