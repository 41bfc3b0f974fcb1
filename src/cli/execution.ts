import type { Command } from 'commander';
import { findExecution, listExecutions } from '../runs/history.js';
import { countPrunable, pruneHistory } from '../runs/prune.js';
import { pruneKept } from '../runs/pruneKept.js';
import { examples, parseCount, parseDate, parseId, requiredId } from './arguments.js';
import { Refusal } from './failures.js';
import type { Session } from './session.js';
import { record, table } from './table.js';

interface ListOptions {
  readonly workspace: string;
  readonly size: number;
  readonly olderThan?: string;
}

/** `verdict execution …` */
export function registerExecution(program: Command, session: Session): void {
  const execution = program.command('execution').description('what was executed, as recorded');
  registerList(execution, session);
  execution
    .command('show')
    .description('show all that is recorded of one execution; secrets are redacted')
    .argument('<execution>', 'its id', parseId)
    .addOption(requiredId('workspace', 'the workspace that it ran in'))
    .addHelpText('after', examples('execution show 0190… --workspace 0190… --json'))
    .action(async (id: string, { workspace }: { workspace: string }) => {
      const found = await findExecution(session.database(), workspace, id);
      if (found === undefined) throw new Refusal(`there is no execution ${id} in this workspace.`);
      session.print(found, () => record({ ...found }));
    });
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

function registerList(execution: Command, session: Session): void {
  execution
    .command('list')
    .description('list executions, newest first')
    .addOption(requiredId('workspace', 'the workspace that they ran in'))
    .option('--size <n>', 'how many at most, 1 to 5000', parseCount(1, 5000), 50)
    .option('--older-than <id>', 'continue after this execution', parseId)
    .addHelpText(
      'after',
      examples('execution list --workspace 0190…', 'execution list --workspace 0190… --older-than 0190…'),
    )
    .action(async ({ workspace, size, olderThan }: ListOptions) => {
      const executions = await listExecutions(session.database(), workspace, { size, olderThan });
      session.print({ executions }, () =>
        table(
          ['created', 'status', 'engine', 'version', 'decision', 'id'],
          executions.map((row) => [
            row.createdAt,
            row.status,
            `${row.engineMs}ms`,
            row.version,
            row.decisionId,
            row.id,
          ]),
        ),
      );
    });
}
