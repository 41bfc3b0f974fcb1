import type { Command } from 'commander';
import { withRecent, type RecentOptions } from '../arguments.js';
import type { Session } from '../session.js';
import { withConnection, type ConnectionOptions } from './connection.js';

/** The options of a list that is read by pages, the newest entry first. */
export interface RecentPageOptions extends ConnectionOptions, RecentOptions {
  readonly after?: string;
}

export const withRecentPage = (command: Command): Command =>
  withRecent(withConnection(command)).option(
    '--after <cursor>',
    'the ones that follow, by the cursor that the list before this one ended with',
  );

/** The part of the query that these options are. */
export const queryOf = ({ size, after, from, to }: RecentPageOptions) => ({
  ...{ size, after, order: 'desc', from: from?.toISOString(), to: to?.toISOString() },
});

/** Says how the list goes on, where the page is full. */
export function noteNext(session: Session, { size }: RecentPageOptions, page: Page): void {
  if (!session.json && page.data.length === size) session.note(`More: --after ${page.page.after ?? ''}`);
}

interface Page {
  readonly data: readonly unknown[];
  readonly page: { readonly after: string | null };
}
