import type { Knex } from 'knex';
import { endJobs, queueJobs } from '../jobs/jobs.store.js';
import { Resource } from '../resource/resource.js';
import { column, id, plain, time } from '../storage/columns.js';
import type { Connection } from '../storage/database.js';
import { longestMediumText } from '../storage/pages.js';
import type { ResourceRef } from '../storage/resourceTable.js';

/** As the API shows it; `request` and `report` are JSON. */
export interface StoredReplay {
  readonly id: string;
  readonly status: 'RUNNING' | 'COMPLETED' | 'CANCELLED' | 'FAILED';
  readonly done: number;
  readonly total: number;
  readonly report: string;
  readonly request: string;
  readonly error: string | null;
  readonly revision: number;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export const replays = new Resource<StoredReplay>({
  type: 'replay',
  table: 'replays',
  columns: {
    id: id(),
    status: plain('status'),
    done: plain('done'),
    // NULL before they are counted.
    total: column(
      'total',
      (stored: number | null) => stored ?? 0,
      (total) => total,
    ),
    report: plain('report'),
    request: plain('request'),
    error: plain('error'),
    revision: plain('revision'),
    createdAt: time('created_at'),
    updatedAt: time('updated_at'),
  },
  index: 'replays_workspace',
  texts: [['report', 'request'], longestMediumText],
  // It may take a while until all its rows are gone.
  hidden: { status: 'REMOVED' },
  // Not the report, which has values of facts and results.
  audited: ({ id, status, done, total, request }) => ({
    ...{ id, status, done, total },
    request: JSON.parse(request) as object,
  }),
});

/** One of which nothing is counted yet. */
export const newReplay = { status: 'RUNNING', done: 0, total: 0, error: null } as const;

/** What the row of a new one has besides. */
export const uncounted = { total: null, tallies: '' } as const;

/** All that run. */
export const running = (connection: Connection): Knex.QueryBuilder => connection('replays').where('status', 'RUNNING');

/** Ends one that runs: what is counted so far stays. */
export async function cancelReplay(transaction: Knex.Transaction, ref: ResourceRef): Promise<void> {
  await replays.update(transaction, ref, { status: 'CANCELLED' }, { tallies: '' });
  await endJobs(transaction, 'replay', [ref.id]);
}

/** Takes an ended one out of sight; its differences are deleted by a job. */
export async function removeReplay(transaction: Knex.Transaction, ref: ResourceRef): Promise<void> {
  await replays.one(transaction, ref).update({ status: 'REMOVED' });
  await queueJobs(transaction, [{ kind: 'replay', ...ref }]);
}
