import { randomBytes } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '../../db/migrate.js';
import { startServices } from '../../db/services/start.js';
import { table } from '../../src/cli/table.js';
import { environments } from '../../src/environments/environments.store.js';
import { patching } from '../../src/inquiries/change.js';
import { createUpdateInquiry } from '../../src/inquiries/update.js';
import { idToBytes } from '../../src/storage/ids.js';
import { buildClient, buildInquiry, openStore, type Store } from '../support/factories.js';
import { buildCallback } from '../support/outbox.js';

// `make bench-inquiries`: what an update of an inquiry costs beside a plain UPDATE of one row, durable both, in turns on
// the same connections. ROUNDS=60, CONCURRENCY=1,8,32.

const rounds = Number(process.env.ROUNDS ?? 60);
const concurrencies = (process.env.CONCURRENCY ?? '1,8,32').split(',').map(Number);
/** Updates of each kind in one round. */
const perRound = 64;
const rows = 50;

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
      .where({ id: idToBytes(made[turn++ % rows]?.resource.id ?? ''), workspace_id: idToBytes(workspaceId) })
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
    const place = { tenantId, id: made[turn++ % rows]?.id ?? '' };
    return update({ actor: store.actor, place, change: patching({ externalId: `x${turn}` }) });
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

async function measure(store: Store): Promise<string[][]> {
  const { workspaceId } = await buildClient(store);
  const kinds: [string, Work][] = [
    ['UPDATE of one row', await plainRows(store, workspaceId)],
    ['PATCH, no event', await inquiries(store, undefined)],
    ['PATCH with event', await inquiries(store, 'https://receiver.example/')],
  ];
  const found: string[][] = [];
  for (const concurrency of concurrencies) {
    const totals = kinds.map(() => 0);
    for (const [, work] of kinds) await timed(work, concurrency); // warm
    for (let round = 0; round < rounds; round++) {
      for (const [index, [, work]] of kinds.entries()) totals[index]! += await timed(work, concurrency);
    }
    for (const [index, [name]] of kinds.entries()) {
      const us = (totals[index]! / (rounds * perRound)) * 1000;
      found.push([String(concurrency), name, us.toFixed(0), (totals[index]! / totals[0]!).toFixed(2)]);
    }
  }
  return found;
}

const dir = mkdtempSync(join(tmpdir(), 'verdict-bench-'));
const say = (text: string): void => void process.stderr.write(`${text}\n`);
// Not the tests' services: those do not flush a commit to the disk.
const services = await startServices({ dir, redisUrl: process.env.REDIS_URL, throwAway: true, durable: true, say });
try {
  process.env.DATABASE_URL = services.databaseUrl;
  process.env.REDIS_URL = services.redisUrl ?? '';
  process.env.ENCRYPTION_KEY = randomBytes(32).toString('hex');
  await migrate(services.databaseUrl);
  const store = openStore();
  const found = await measure(store);
  await store.close();
  process.stdout.write(`${table(['at once', 'what', 'us each', 'times'], found)}\n`);
} finally {
  await services.stop();
}
