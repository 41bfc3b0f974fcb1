import type { Knex } from 'knex';
import type { Job, JobKind, LeaseKind } from '../../src/jobs/jobs.store.js';
import { ownerWithinKind, JobTurns } from '../../src/jobs/turns.js';
import { idToBytes } from '../../src/storage/ids.js';

/** Makes all jobs or leases of a kind due, or some of them, in place of waiting until they are. */
export async function makeDue(database: Knex, kind: JobKind | LeaseKind, ids?: readonly string[]): Promise<void> {
  const jobs = database('jobs').where({ kind });
  if (ids !== undefined) jobs.whereIn('id', ids.map(idToBytes));
  await jobs.update({ due_at: new Date(0) });
}

/** Claims that job, whoever has it: in one transaction, so that its process does not renew it between the two. */
export const claimed = (database: Knex, kind: JobKind, id: string, leaseMs = 60_000): Promise<Job> =>
  database.transaction(async (transaction) => {
    await makeDue(transaction, kind, [id]);
    const [job] = await new JobTurns(transaction, [kind], ownerWithinKind).claim({ leaseMs, room: () => 1 });
    if (job?.id !== id) throw new Error('another job was claimed');
    return job;
  });

export async function jobsLeft(database: Knex, kind: JobKind | LeaseKind): Promise<number> {
  return ((await database('jobs').where({ kind }).select('id')) as unknown[]).length;
}
