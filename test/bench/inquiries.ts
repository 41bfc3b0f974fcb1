import { environments } from '../../src/environments/environments.store.js';
import { patching } from '../../src/inquiries/change.js';
import { createUpdateInquiry } from '../../src/inquiries/update.js';
import { idToBytes } from '../../src/storage/ids.js';
import { buildClient, buildInquiry, openStore, type Store } from '../support/factories.js';
import { buildCallback } from '../support/outbox.js';
import { inTurns, measure, setting, type Bed } from './bed.js';
import { median, ratioOf } from './numbers.js';
import type { Report } from './report.js';

// `make bench-inquiries`: what an update of an inquiry costs beside a plain UPDATE of one row, durable both, in turns on
// the same connections. ROUNDS=60, CONCURRENCY=1,8,32.

const rounds = setting('ROUNDS', 60);
const concurrencies = (process.env.CONCURRENCY ?? '1,8,32').split(',').map(Number);
/** Updates of each kind in one round. */
const perRound = 64;
const rows = 50;
const plain = 'UPDATE of one row';

async function run({ ends }: Bed): Promise<Report> {
  const store = openStore();
  ends(() => store.close());
  const { workspaceId } = await buildClient(store);
  const works: Readonly<Record<string, Work>> = {
    [plain]: await plainRows(store, workspaceId),
    'PATCH, no event': await inquiries(store, undefined),
    'PATCH with event': await inquiries(store, 'https://receiver.example/'),
  };
  const found: (string | number)[][] = [];
  for (const concurrency of concurrencies) {
    const all = Object.fromEntries(
      Object.entries(works).map(([name, work]) => [name, () => timed(work, concurrency)] as const),
    );
    await inTurns(1, all);
    const times = await inTurns(rounds, all);
    for (const [name, each] of Object.entries(times)) {
      const us = (median(each) / perRound) * 1000;
      found.push([concurrency, name, us.toFixed(0), ratioOf(each, times[plain] ?? []).toFixed(2)]);
    }
  }
  return { parts: [{ headings: ['at once', 'what', 'us each', 'times'], rows: found }], found: { rounds, found } };
}

/** Does it once more; on another row each time. */
type Work = () => Promise<unknown>;

async function plainRows({ database }: Store, workspaceId: string): Promise<Work> {
  const fields = { name: 'x', description: null, color: '#fff' };
  const made = await Promise.all(
    Array.from({ length: rows }, () => environments.insert(database, workspaceId, fields)),
  );
  let turn = 0;
  return async () => {
    await database('environments')
      .where({ id: idToBytes(made[turn++ % rows]?.id ?? ''), workspace_id: idToBytes(workspaceId) })
      .update({ name: `x${turn}`, updated_at: new Date(), revision: database.raw('revision + 1') });
  };
}

async function inquiries(store: Store, callbackUrl: string | undefined): Promise<Work> {
  const { tenantId } = await buildClient(store);
  if (callbackUrl !== undefined) await buildCallback(store, tenantId, callbackUrl);
  const made = await Promise.all(Array.from({ length: rows }, () => buildInquiry(store, tenantId)));
  const update = createUpdateInquiry({ ...store, maxPerMinute: null, wakeOutbox: () => undefined });
  let turn = 0;
  return () => {
    const ref = { tenantId, id: made[turn++ % rows]?.id ?? '' };
    return update({ actor: store.actor, ref, change: patching({ externalId: `x${turn}` }) });
  };
}

/** Milliseconds of one round. */
async function timed(work: Work, concurrency: number): Promise<number> {
  const started = performance.now();
  let left = perRound;
  const loop = async (): Promise<void> => {
    while (left-- > 0) await work();
  };
  await Promise.all(Array.from({ length: concurrency }, loop));
  return performance.now() - started;
}

await measure('inquiries', run, 'production');
