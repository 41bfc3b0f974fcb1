import { expect } from 'chai';
import { claimJobs, endJobs, heldAmong, standingOf, type Job } from '../../src/jobs/jobs.store.js';
import { replaceNotifications } from '../../src/outbox/notifications.store.js';
import { readMessages } from '../../src/outbox/outbox.store.js';
import { recordOutcomes, type Outcome } from '../../src/outbox/recordOutcomes.js';
import { byPrimaryKey } from '../../src/storage/database.js';
import { idToBytes } from '../../src/storage/ids.js';
import { buildInquiry, buildTenant, useScratchStore, type Store } from '../support/factories.js';
import { queueEvent } from '../support/outbox.js';

/** What writes messages and their jobs by their ids. */
const writers: Readonly<Record<string, (store: Store, jobs: readonly Job[]) => Promise<unknown>>> = {
  'an end of jobs': ({ database }, jobs) => endJobs(database, 'WEBHOOK', idsOf(jobs)),
  'an end of jobs of several kinds': ({ database }, jobs) => endJobs(database, ['EMAIL', 'WEBHOOK'], idsOf(jobs)),
  'a look at who has jobs': ({ database }, jobs) => database.transaction((transaction) => heldAmong(transaction, jobs)),
  'where jobs stand': ({ database }, jobs) =>
    database.transaction((transaction) => standingOf(transaction, 'WEBHOOK', idsOf(jobs), true)),
  'outcomes that are good': (store, jobs) => record(store, jobs, { kind: 'delivered' }),
  'outcomes that are not': (store, jobs) => record(store, jobs, { kind: 'later', error: 'refused', delayMs: 1000 }),
  'notifications that are replaced': ({ database }, jobs) =>
    database.transaction((transaction) => replaceNotifications(transaction, tenantOf(jobs), idsOf(jobs))),
};

const idsOf = (jobs: readonly Job[]): string[] => jobs.map(({ id }) => id);
const tenantOf = (jobs: readonly Job[]): string => jobs[0]?.tenantId ?? '';

async function record(store: Store, jobs: readonly Job[], outcome: Outcome): Promise<void> {
  const messages = await readMessages(store.database, jobs);
  const { held } = await recordOutcomes(
    store,
    messages.map((message) => ({ message, outcome })),
    60_000,
  );
  expect(held).to.deep.equal([]);
}

describe('what is written by its id', () => {
  const store = useScratchStore();

  for (const [title, write] of Object.entries(writers)) {
    for (const count of [10, 150]) {
      it(`waits for nobody who has another one, in a table of ${count}: ${title}`, async () => {
        const { database } = store;
        const tenantId = await buildTenant(store);
        const { id } = await buildInquiry(store, tenantId);
        await queueEvent(store, tenantId, id, Array<string>(count).fill('{"type":"test"}'));
        const jobs = await claimJobs(database, { kind: 'WEBHOOK', tenantId }, { most: count, leaseMs: 60_000 });
        expect(jobs).to.have.length(count);
        const [another, ...rest] = jobs;
        if (another === undefined) return expect.fail('none was claimed');
        await database.transaction(async (transaction) => {
          const key = { id: idToBytes(another.id) };
          await byPrimaryKey(transaction, 'outbox').select('id').where(key).forUpdate();
          await byPrimaryKey(transaction, 'jobs')
            .select('id')
            .where({ kind: 'WEBHOOK', ...key })
            .forUpdate();
          await write(store, rest);
        });
      });
    }
  }
});
