import type { Command } from 'commander';
import { examples } from '../arguments.js';
import type { Session } from '../session.js';
import { table } from '../table.js';
import { operations } from '#openapi/operations.gen.js';
import { noteNext, queryOf, withRecentPage, type RecentPageOptions } from './recentPage.js';

interface ListOptions extends RecentPageOptions {
  readonly type?: string;
  readonly resource?: string;
  readonly principal?: string;
  readonly action?: string;
}

/** `verdict audit list` */
export function registerAuditRead(audit: Command, session: Session): void {
  withRecentPage(audit.command('list'))
    .description('list who changed what in the workspace, newest first')
    .option('--type <type>', 'of resources of this type, such as deployment')
    .option('--resource <id>', 'of this resource')
    .option('--principal <principal>', 'by this one, such as client:0190…')
    .option('--action <action>', 'of this kind, such as deployment.create')
    .addHelpText('after', examples('audit list --action deployment.create', 'audit list --from 2026-01-31 --json'))
    .action(async (options: ListOptions) => {
      const { type, resource, principal, action } = options;
      const query = { ...queryOf(options), resourceType: type, resourceId: resource, principal, action };
      const { body } = await session.service(options).send(operations.listAuditEntries, { query });
      const { data: entries, page } = body;
      session.print({ entries, page }, () =>
        table(
          ['at', 'action', 'resource', 'by'],
          entries.map(({ at, action, resource, principal }) => [at, action, resource.key ?? resource.id, principal]),
        ),
      );
      noteNext(session, options, body);
    });
}
