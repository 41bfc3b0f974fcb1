import type { Command } from 'commander';
import { countAuditEntries, pruneAuditEntries } from '../audit/prune.js';
import { examples, parseDate } from './arguments.js';
import { registerAuditRead } from './remote/audit.js';
import type { Session } from './session.js';
import { record } from './table.js';

/** `verdict audit …` */
export function registerAudit(program: Command, session: Session): void {
  const audit = program.command('audit').description('who changed what');
  registerAuditRead(audit, session);
  audit
    .command('prune')
    .description('delete the entries of all workspaces made before a date, and write that it was done')
    .requiredOption('--before <date>', 'such as 2026-01-31 (midnight UTC) or 2026-01-31T09:30:00Z', parseDate)
    .addHelpText('after', examples('audit prune --before 2026-01-31'))
    .action(async ({ before }: { before: Date }) => {
      const progress = session.progress('deleting', await countAuditEntries(session.database(), before));
      const deleted = await pruneAuditEntries(session.stores(), before, (rows) => progress.advance(rows)).finally(() =>
        progress.end(),
      );
      session.print({ before: before.toISOString(), deleted }, () => record({ before, deleted }));
    });
}
