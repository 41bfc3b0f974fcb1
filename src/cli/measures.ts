import type { Command } from 'commander';
import { hoursOf, recount } from '../measures/recount.js';
import { examples, parseDate, parseId } from './arguments.js';
import type { Session } from './session.js';
import { record } from './table.js';

/** `verdict measures …` */
export function registerMeasures(program: Command, session: Session): void {
  program
    .command('measures')
    .description('what was counted of executions')
    .command('recount')
    .description(
      'count executions anew from their records, hour by hour, in place of what was counted while they ran: after a crash, ' +
        'or for fields that are measured since. Hours of which records were pruned would lose what was counted.',
    )
    .requiredOption('--workspace <id>', 'of this workspace', parseId)
    .requiredOption('--from <date>', 'from the hour of then on, such as 2026-01-31T09:00:00Z', parseDate)
    .option('--to <date>', 'hours that had ended by then; else all that have ended for some minutes', parseDate)
    .addHelpText('after', examples('measures recount --workspace 0190… --from 2026-01-31'))
    .action(async ({ workspace: workspaceId, from, to = new Date() }: { workspace: string; from: Date; to?: Date }) => {
      const request = { workspaceId, from, to };
      const progress = session.progress('counting', hoursOf(request).length);
      const recounted = await recount(session.stores(), request, () => progress.advance(1)).finally(() =>
        progress.end(),
      );
      session.print(recounted, () => record({ ...recounted }));
    });
}
