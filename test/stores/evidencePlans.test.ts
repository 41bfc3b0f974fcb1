import { expect } from 'chai';
import type { Knex } from 'knex';
import { createReadNode } from '../../src/evidence/nodes.js';
import { inclusionPath } from '../../src/evidence/paths.js';
import { newestSubjects, spanAfter, withoutLeaf } from '../../src/evidence/subjects.store.js';
import { findLeaf, leavesFrom } from '../../src/evidence/leaves.store.js';
import { eachTree, findTree, keptHeadsOf } from '../../src/evidence/trees.store.js';
import { idToBytes, newId } from '../../src/storage/ids.js';
import { sequencerOn, writeEntries } from '../support/evidence.js';
import { eventually } from '../support/eventually.js';
import { openScratchStore, type Store } from '../support/factories.js';
import { planOf } from '../support/queryPlans.js';

describe('plans of the statements of evidence, on 6,000 leaves', () => {
  let store: Store;
  let database: Knex;
  const workspaceId = newId();
  let ids: string[] = [];

  before(async () => {
    store = await openScratchStore();
    ({ database } = store);
    const others = [newId(), newId()];
    for (const other of others) await writeEntries(store, other, { count: 2000, agoMs: 600_000 });
    ids = (await writeEntries(store, workspaceId, { count: 2000, agoMs: 600_000 })).sort();
    const sequencer = sequencerOn(store);
    sequencer.start();
    for (const each of [...others, workspaceId])
      await eventually(async () => (await findTree(database, each))?.size === 2000);
    await sequencer.stop();
    for (const table of ['audit_entries', 'evidence_leaves', 'evidence_nodes'])
      await database.raw('ANALYZE TABLE ??', [table]);
  });
  after(() => store.close());

  const start = Buffer.alloc(16);
  const cases: Record<string, [run: () => Promise<unknown>, keys: readonly string[]]> = {
    'the newest of each workspace': [
      () => newestSubjects(database, 'audit_entry', { after: start, from: idToBytes(ids[50]!), size: 1000 }),
      ['audit_entries_workspace'],
    ],
    'a span of ids': [
      () => spanAfter(database, 'audit_entry', workspaceId, { after: start, size: 2000 }),
      ['audit_entries_workspace'],
    ],
    'what has no leaf': [
      () =>
        withoutLeaf(database, 'audit_entry', workspaceId, {
          ...{ after: idToBytes(ids[100]!), until: idToBytes(ids[200]!), size: 128 },
        }),
      ['audit_entries_workspace', 'evidence_leaves_subject'],
    ],
    'the leaf of a subject': [() => findLeaf(database, workspaceId, ids[7]!), ['evidence_leaves_subject']],
    'a page of leaves': [() => leavesFrom(database, workspaceId, { position: 1000, size: 128 }), ['PRIMARY']],
    'a page of heads': [() => keptHeadsOf(database, workspaceId).next(), ['PRIMARY']],
    'a page of trees': [() => eachTree(database).next(), ['PRIMARY']],
    'a proof': [() => inclusionPath(createReadNode(database, workspaceId), 700, 2000), ['PRIMARY']],
  };
  for (const [what, [run, keys]] of Object.entries(cases)) {
    it(`${what}: by key`, async () => {
      const sent: { sql: string; bindings: Knex.Value[] }[] = [];
      const listen = (query: { sql: string; bindings: Knex.Value[] }): void => void sent.push(query);
      database.on('query', listen);
      await run();
      database.off('query', listen);
      expect(sent.length).to.be.within(1, 6);
      for (const { sql, bindings } of sent) {
        for (const { table, key, type, Extra } of await planOf(database, sql, bindings)) {
          if (table === null || table.startsWith('<')) continue;
          expect(keys, sql).to.include(key);
          expect(type, sql).to.not.be.oneOf(['ALL', 'index']);
          expect(Extra ?? '', sql).to.not.match(/filesort|temporary/);
        }
      }
    });
  }
});
