import type { Command } from 'commander';
import { resumeDividing } from '../runs/days/divide.js';
import { countWithoutRoute, narrow } from '../runs/narrow.js';
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
  execution
    .command('narrow')
    .description(
      'make records smaller and divide them into days, once all servers are of this version: beside executions',
    )
    .option('--pause', 'divide them even where executions have to wait while MariaDB reads all of them')
    .addHelpText('after', examples('execution narrow'))
    .action(async ({ pause = false }: { pause?: boolean }) => {
      await resumeDividing(session.database());
      const progress = session.progress('giving routes', await countWithoutRoute(session.database()));
      const divided = await narrow(session.database(), (rows) => progress.advance(rows), { mayWait: pause }).finally(
        () => progress.end(),
      );
      session.print({ narrow: true, days: divided === 'divided' }, () =>
        record({ narrow: 'yes', days: dividedTexts[divided] }),
      );
    });
}

const dividedTexts = {
  divided: 'yes',
  slow: 'no: executions would wait for longer than a second; repeat it with --pause when they may',
  cluster: 'no: Galera cannot divide a table that has records',
} as const;
