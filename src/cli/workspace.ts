import type { Command } from 'commander';
import { createWorkspace } from '../workspaces/workspaces.service.js';
import { listWorkspaces } from '../workspaces/workspaces.store.js';
import { examples, parseId, requiredId } from './arguments.js';
import type { Session } from './session.js';
import { record, table } from './table.js';

/** `verdict workspace …` */
export function registerWorkspace(program: Command, session: Session): void {
  const workspace = program
    .command('workspace')
    .description('what decisions, environments and executions belong to; requests name it in X-Workspace-Id');
  workspace
    .command('create')
    .description('make a workspace in a tenant')
    .addOption(requiredId('tenant', 'the tenant that owns it'))
    .requiredOption('--name <name>', 'what people call it; 1 to 255 characters')
    .addHelpText('after', examples('workspace create --tenant 0190… --name support'))
    .action(async ({ tenant, name }: { tenant: string; name: string }) => {
      const made = await createWorkspace(session.stores(), { tenantId: tenant, name });
      session.print(made, () =>
        record({ id: made.id, tenant: made.tenantId, name: made.name, created: made.createdAt }),
      );
    });
  workspace
    .command('list')
    .description('list the workspaces, oldest first')
    .option('--tenant <id>', 'of this tenant only; else of all', parseId)
    .addHelpText('after', examples('workspace list', 'workspace list --tenant 0190…'))
    .action(async ({ tenant }: { tenant?: string }) => {
      const workspaces = await listWorkspaces(session.database(), tenant);
      session.print({ workspaces }, () =>
        table(
          ['name', 'id', 'tenant', 'created'],
          workspaces.map(({ name, id, tenantId, createdAt }) => [name, id, tenantId, createdAt]),
        ),
      );
    });
}
