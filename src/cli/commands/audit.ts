import { operations } from '#openapi/operations.gen.js';
import { command, page, type CommandGroup } from '../command.js';
import { date, required, text } from '../params.js';
import { record } from '../tableOf.js';

export const auditCommands: CommandGroup = {
  groups: { audit: 'who changed what' },
  commands: [
    page({
      name: 'audit list',
      about: 'list who changed what in the workspace, newest first',
      examples: ['audit list --action deployment.create', 'audit list --from 2026-01-31 --json'],
      options: {
        resourceType: text('--type <type>', 'of resources of this type, such as deployment'),
        resourceId: text('--resource <id>', 'of this resource'),
        about: text('--about <id>', 'of this decision or environment, and of its deployments, requests and variables'),
        principal: text('--principal <principal>', 'by this one, such as client:0190…'),
        action: text('--action <action>', 'of this kind, such as deployment.create'),
      },
      operation: operations.listAuditEntries,
      as: 'entries',
      columns: {
        at: 'at',
        action: 'action',
        resource: ({ resource }) => resource.key ?? resource.id,
        by: 'principal',
      },
      named: ['principal'],
    }),
    command({
      name: 'audit prune',
      about: 'delete the entries of all workspaces made before a date, and write that it was done',
      examples: ['audit prune --before 2026-01-31'],
      where: 'here',
      options: {
        before: required(date('--before <date>', 'such as 2026-01-31 (midnight UTC) or 2026-01-31T09:30:00Z')),
      },
      async run({ session }, { before }) {
        const { countAuditEntries, pruneAuditEntries } = await import('../../audit/prune.js');
        const stores = await session.stores();
        const total = await countAuditEntries(stores.database, before);
        const deleted = await session.during('deleting', total, (advance) =>
          pruneAuditEntries(stores, before, advance),
        );
        return { before: before.toISOString(), deleted };
      },
      text: record,
    }),
  ],
};
