import type { Command } from 'commander';
import { countPrunable, pruneHistory } from '../runs/prune.js';
import { pruneKept } from '../runs/pruneKept.js';
import { examples, parseDate, parseId } from './arguments.js';
import { registerExecutionRead } from './remote/execution.js';
import type { Session } from './session.js';
import { record } from './table.js';

/** `verdict execution …` */
export function registerExecution(program: Command, session: Session): void {
  const execution = program.command('execution').description('what was executed, as recorded');
  registerExecutionRead(execution, session);
  execution
    .command('prune')
    .description('delete records of executions and evaluations made before a date, and what only they named, for good')
    .requiredOption('--before <date>', 'such as 2026-01-31 (midnight UTC) or 2026-01-31T09:30:00Z', parseDate)
    .option('--workspace <id>', 'of this workspace only; else of all', parseId)
    .addHelpText(
      'after',
      examples('execution prune --before 2026-01-31', 'execution prune --before 2026-01-31 --workspace 0190…'),
    )
    .action(async ({ before, workspace }: { before: Date; workspace?: string }) => {
      const request = { before, workspaceId: workspace };
      const progress = session.progress('deleting', await countPrunable(session.database(), request));
      const deleted = await pruneHistory(session.stores(), request, (rows) => progress.advance(rows)).finally(() =>
        progress.end(),
      );
      await pruneKept(session.database(), workspace);
      session.print({ before: before.toISOString(), deleted }, () => record({ before, ...deleted }));
    });
}
