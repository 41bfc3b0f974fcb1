import { erasedOf, holdErasures } from '../../erasures/erasures.store.js';
import { hoursOf, recount } from '../../measures/recount.js';
import { workspaces } from '../../workspaces/workspaces.store.js';
import { command, type CommandGroup } from '../command.js';
import { date, id, required } from '../params.js';
import { record } from '../tableOf.js';

export const measureCommands: CommandGroup = {
  groups: { measures: 'what was counted of executions' },
  commands: [
    command({
      name: 'measures recount',
      about:
        'count executions anew from their records, hour by hour, in place of what was counted while they ran: after a crash, ' +
        'or for fields that are measured since. Hours of which records were pruned would lose what was counted.',
      examples: ['measures recount --workspace 0190… --from 2026-01-31'],
      where: 'here',
      options: {
        workspaceId: required(id('--workspace <id>', 'of this workspace')),
        from: required(date('--from <date>', 'from the hour of then on, such as 2026-01-31T09:00:00Z')),
        to: date('--to <date>', 'hours that had ended by then; else all that have ended for some minutes'),
      },
      async run({ session }, { workspaceId, from, to = new Date() }) {
        const request = { workspaceId, from, to };
        const stores = await session.stores();
        await workspaces.require(stores.database, { id: workspaceId, tenantId: undefined });
        return session.during('counting', hoursOf(request).length, (advance) =>
          recount(stores, request, { erasedOf, holdErasures, onHour: () => advance(1) }),
        );
      },
      text: (recounted) => record({ ...recounted }),
    }),
  ],
};
