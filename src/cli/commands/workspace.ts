import { operations } from '#openapi/operations.gen.js';
import { command, list, show, type CommandGroup } from '../command.js';
import { UsageError } from '../failures.js';
import { id, own, required, text } from '../params.js';
import { drawLimit, limited, limitOf } from '../remote/limit.js';
import { record } from '../tableOf.js';

export const workspaceCommands: CommandGroup = {
  groups: { workspace: 'what decisions, environments and executions belong to; requests name it in X-Workspace-Id' },
  commands: [
    show({
      name: 'workspace create',
      about: 'make a workspace in a tenant; by HTTP in its own, and the client that asks is granted it',
      examples: ['workspace create --tenant 0190… --name support'],
      where: 'tenant',
      options: {
        tenant: own(id('--tenant <id>', 'on the database: the tenant that owns it')),
        name: required(text('--name <name>', 'what people call it; 1 to 255 characters')),
      },
      operation: operations.createWorkspace,
      fields: { id: 'id', tenant: 'tenantId', name: 'name', created: 'createdAt' },
    }),
    list({
      name: 'workspace list',
      about: "list the workspaces, oldest first: by HTTP one's own tenant's",
      examples: ['workspace list', 'workspace list --tenant 0190…'],
      where: 'tenant',
      options: { tenant: own(id('--tenant <id>', 'on the database: of this tenant only; else of all')) },
      operation: operations.listTenantWorkspaces,
      as: 'workspaces',
      columns: {
        name: 'name',
        id: 'id',
        tenant: 'tenantId',
        limit: ({ limit }) => drawLimit(limit),
        created: 'createdAt',
      },
    }),
    command({
      name: 'workspace limit',
      about: 'on the database: hold all who use a workspace together to a rate',
      examples: ['workspace limit 0190… --per-second 500 --burst 1000'],
      where: 'here',
      args: { id: id('<workspace>', 'its id') },
      options: limited,
      check(rate) {
        if (limitOf(rate) === undefined)
          throw new UsageError('say how often: --per-second and --burst, or --no-limit.');
      },
      async run({ session }, { id, ...rate }) {
        const limit = limitOf(rate) ?? null;
        const { changeWorkspace } = await import('../../access/workspaces.service.js');
        await changeWorkspace(await session.stores(), { workspaceId: id }, () => ({ limit }));
        return { id, limit };
      },
      text: ({ id, limit }) => record({ id, limit: drawLimit(limit) }),
    }),
  ],
};
