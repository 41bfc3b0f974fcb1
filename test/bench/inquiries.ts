import type { Knex } from 'knex';
import { insertEnvironment } from '../../src/environments/environments.store.js';
import { updateInquiryOf } from '../../src/inquiries/update.js';
import { idToBytes } from '../../src/storage/ids.js';
import { buildClient, buildInquiry, openStore } from '../support/factories.js';
import { buildCallback } from '../support/outbox.js';

/**
 * What an update of an inquiry costs beside a bare UPDATE of one row, in turns on the same connections, without and with
 * an event. Run it with `node dist/test/bench/inquiries.js` and the variables of a migrated database.
 */
const rounds = 60;
const inFlight = 8;
const each = 10;
const rows = 50;

const store = openStore();
const { database } = store;
let turn = 0;

async function inquiriesOf(callbackUrl: string | undefined): Promise<() => Promise<unknown>> {
  const { tenantId } = await buildClient(store);
  if (callbackUrl !== undefined) await buildCallback(store, tenantId, callbackUrl);
  const ids = await Promise.all(Array.from({ length: rows }, async () => (await buildInquiry(store, tenantId)).id));
  return () => {
    const place = { tenantId, id: ids[turn++ % rows] ?? '' };
    return updateInquiryOf(store, { place, body: { externalId: `x${turn}` }, ifMatch: undefined });
  };
}

async function plainRows(): Promise<() => Promise<unknown>> {
  const { workspaceId } = await buildClient(store);
  const fields = { name: 'x', description: null, color: '#fff' };
  const made = await Promise.all(Array.from({ length: rows }, () => insertEnvironment(database, workspaceId, fields)));
  return (): Knex.QueryBuilder =>
    database('environments')
      .where({ id: idToBytes(made[turn++ % rows]?.resource.id ?? ''), workspace_id: idToBytes(workspaceId) })
      .update({ name: `x${turn}`, updated_at: new Date(), revision: database.raw('revision + 1') });
}

const kinds = {
  'UPDATE of one row': await plainRows(),
  'inquiry, no event': await inquiriesOf(undefined),
  'inquiry with event': await inquiriesOf('https://receiver.example/'),
};
const totals = new Map<string, number>();
for (let round = 0; round < rounds; round++) {
  for (const [name, work] of Object.entries(kinds)) {
    const started = performance.now();
    const loop = async (): Promise<void> => {
      for (let count = 0; count < each; count++) await work();
    };
    await Promise.all(Array.from({ length: inFlight }, loop));
    totals.set(name, (totals.get(name) ?? 0) + performance.now() - started);
  }
}
const plain = totals.get('UPDATE of one row') ?? 1;
for (const [name, ms] of totals) {
  const us = (ms / (rounds * inFlight * each)) * 1000;
  process.stdout.write(`${name}: ${us.toFixed(0)} us, ${(ms / plain).toFixed(2)} times\n`);
}
await store.close();
