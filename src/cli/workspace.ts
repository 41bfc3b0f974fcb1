import type { Command } from 'commander';
import { changeWorkspace, createWorkspace } from '../access/workspaces.service.js';
import { listWorkspaces } from '../workspaces/workspaces.store.js';
import { examples, parseId } from './arguments.js';
import { drawLimit, limitOf, withLimit, type LimitOptions } from './client.js';
import { UsageError } from './failures.js';
import { withServer } from './remote/connection.js';
import { requireTenant, serviceUnlessOperator, type EitherOptions } from './remote/either.js';
import { operations } from '#openapi/operations.gen.js';
import type { Session } from './session.js';
import { record, table } from './table.js';

/** `verdict workspace …` */
export function registerWorkspace(program: Command, session: Session): void {
  const workspace = program
    .command('workspace')
    .description('what decisions, environments and executions belong to; requests name it in X-Workspace-Id');
  withServer(workspace.command('create'))
    .description('make a workspace in a tenant; by HTTP in its own, and the client that asks is granted it')
    .option('--tenant <id>', 'on the database: the tenant that owns it', parseId)
    .requiredOption('--name <name>', 'what people call it; 1 to 255 characters')
    .addHelpText('after', examples('workspace create --tenant 0190… --name support'))
    .action(async ({ name, ...options }: EitherOptions & { name: string }) => {
      const service = serviceUnlessOperator(session, options);
      const made =
        service === undefined
          ? await createWorkspace(session.stores(), { tenantId: requireTenant(options.tenant), name })
          : (await service.send(operations.createWorkspace, { body: JSON.stringify({ name }) })).body;
      session.print(made, () =>
        record({ id: made.id, tenant: made.tenantId, name: made.name, created: made.createdAt }),
      );
    });
  withServer(workspace.command('list'))
    .description("list the workspaces, oldest first: by HTTP one's own tenant's")
    .option('--tenant <id>', 'on the database: of this tenant only; else of all', parseId)
    .addHelpText('after', examples('workspace list', 'workspace list --tenant 0190…'))
    .action(async (options: EitherOptions) => {
      const service = serviceUnlessOperator(session, options);
      const workspaces = await (service === undefined
        ? listWorkspaces(session.database(), options.tenant)
        : service.all(operations.listTenantWorkspaces));
      session.print({ workspaces }, () =>
        table(
          ['name', 'id', 'tenant', 'limit', 'created'],
          workspaces.map(({ name, id, tenantId, limit, createdAt }) => [
            ...[name, id, tenantId, drawLimit(limit), createdAt],
          ]),
        ),
      );
    });
  withLimit(workspace.command('limit'))
    .description('on the database: hold all who use a workspace together to a rate')
    .argument('<workspace>', 'its id', parseId)
    .addHelpText('after', examples('workspace limit 0190… --per-second 500 --burst 1000'))
    .action(async (id: string, options: LimitOptions) => {
      const limit = limitOf(options);
      if (limit === undefined) throw new UsageError('say how often: --per-second and --burst, or --no-limit.');
      await changeWorkspace(session.stores(), { workspaceId: id }, () => ({ limit }));
      session.print({ id, limit }, () => record({ id, limit: drawLimit(limit) }));
    });
}
