import type { Command } from 'commander';
import { examples, parseCount, parseDate } from '../arguments.js';
import type { Session } from '../session.js';
import { table } from '../table.js';
import { withConnection, type ConnectionOptions } from './connection.js';
import { operations } from './operations.js';

interface ListOptions extends ConnectionOptions {
  readonly size: number;
  readonly after?: string;
  readonly type?: string;
  readonly resource?: string;
  readonly principal?: string;
  readonly action?: string;
  readonly from?: Date;
  readonly to?: Date;
}

/** `verdict audit list` */
export function registerAuditRead(audit: Command, session: Session): void {
  withConnection(audit.command('list'))
    .description('list who changed what in the workspace, newest first')
    .option('--size <n>', 'how many at most, 1 to 5000', parseCount(1, 5000), 50)
    .option('--after <cursor>', 'the ones that follow, by the cursor that the list before this one ended with')
    .option('--type <type>', 'of resources of this type, such as deployment')
    .option('--resource <id>', 'of this resource')
    .option('--principal <principal>', 'by this one, such as client:0190…')
    .option('--action <action>', 'of this kind, such as deployment.create')
    .option('--from <date>', 'from then on, such as 2026-01-31 (midnight UTC) or 2026-01-31T09:30:00Z', parseDate)
    .option('--to <date>', 'before then', parseDate)
    .addHelpText('after', examples('audit list --action deployment.create', 'audit list --from 2026-01-31 --json'))
    .action(async ({ size, after, type, resource, principal, action, from, to, ...options }: ListOptions) => {
      const query = {
        ...{ size, after, order: 'desc', resourceType: type, resourceId: resource, principal, action },
        ...{ from: from?.toISOString(), to: to?.toISOString() },
      };
      const { data: entries, page } = (await session.service(options).send(operations.listAuditEntries, { query }))
        .body;
      session.print({ entries, page }, () =>
        table(
          ['at', 'action', 'resource', 'by'],
          entries.map(({ at, action, resource, principal }) => [at, action, resource.key ?? resource.id, principal]),
        ),
      );
      if (!session.json && entries.length === size) session.note(`More: --after ${page.after ?? ''}`);
    });
}
