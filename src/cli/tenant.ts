import type { Command } from 'commander';
import { createTenant } from '../access/workspaces.service.js';
import { listTenants } from '../workspaces/tenants.store.js';
import { examples } from './arguments.js';
import { registerCallback } from './callback.js';
import type { Session } from './session.js';
import { record, table } from './table.js';
import { registerTenantAudit } from './tenantAudit.js';

/** `verdict tenant …` */
export function registerTenant(program: Command, session: Session): void {
  const tenant = program.command('tenant').description('organisations: they own workspaces and clients');
  tenant
    .command('create')
    .description('make a tenant')
    .requiredOption('--name <name>', 'what people call it; 1 to 255 characters')
    .addHelpText('after', examples('tenant create --name "Animal Shelter"'))
    .action(async ({ name }: { name: string }) => {
      const { id, name: stored, createdAt } = await createTenant(session.stores(), name);
      session.print({ id, name: stored, createdAt }, () => record({ id, name: stored, created: createdAt }));
    });
  tenant
    .command('list')
    .description('list the tenants, oldest first')
    .addHelpText('after', examples('tenant list'))
    .action(async () => {
      const tenants = await listTenants(session.database());
      session.print({ tenants }, () =>
        table(
          ['name', 'id', 'created'],
          tenants.map(({ name, id, createdAt }) => [name, id, createdAt]),
        ),
      );
    });
  registerCallback(tenant, session);
  registerTenantAudit(tenant, session);
}
