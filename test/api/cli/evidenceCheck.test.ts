import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { signCheckpoint, parseCheckpoint } from '../../../src/evidence/checkpoint.js';
import { listEvidenceKeys, openEvidenceKey } from '../../../src/evidence/keys.store.js';
import { rotateEvidenceKey } from '../../../src/evidence/keys.js';
import { createWitness } from '../../../src/evidence/witness.js';
import { findTree } from '../../../src/evidence/trees.store.js';
import { idToBytes, newId } from '../../../src/storage/ids.js';
import { verdictWith } from '../../support/cli.js';
import { eventually } from '../../support/eventually.js';
import { idAgo, sequencerOn, writeEntries } from '../../support/evidence.js';
import { useScratchStore } from '../../support/factories.js';
import { useFreshFolder } from '../../support/folder.js';

interface Found {
  readonly leaves: number;
  readonly findings: readonly { readonly kind: string; readonly id: string | null; readonly detail: string }[];
}

describe('verdict evidence check', () => {
  const store = useScratchStore();
  const folder = useFreshFolder();
  let workspaceId: string;
  let ids: string[];

  /** A workspace with a tree of 300 entries, and a witness. */
  beforeEach(async () => {
    workspaceId = newId();
    ids = (await writeEntries(store, workspaceId, { count: 300, agoMs: 3_600_000 })).sort();
    await sequenced(300);
  });

  async function sequenced(size: number): Promise<void> {
    const sequencer = sequencerOn(store, { witness: createWitness(folder) });
    sequencer.start();
    await eventually(async () => (await findTree(store.database, workspaceId))?.witnessed === size);
    await sequencer.stop();
  }

  const entries = () => store.database('audit_entries').where('workspace_id', idToBytes(workspaceId));
  const entry = (at: number) => entries().where('id', idToBytes(ids[at]!));
  const leaf = (at: number) =>
    store.database('evidence_leaves').where({ workspace_id: idToBytes(workspaceId), position: at });

  async function check(exit: 0 | 1 = 1): Promise<Found> {
    const ran = await verdictWith({ DATABASE_URL: store.url, EVIDENCE_WITNESS: folder }, 'evidence', 'check', '--json');
    expect(ran.exit, ran.stderr).to.equal(exit);
    return ran.json as Found;
  }
  const kinds = ({ findings }: Found): unknown[] => findings.map(({ kind, id }) => [kind, id]);

  it('finds nothing where nothing was done', async () => {
    expect(await check(0)).to.deep.equal({ leaves: 300, findings: [] });
  });

  it('names what was changed, removed, swapped and added', async () => {
    await entry(3).update({ principal: 'operator:else' });
    await entry(4).update({ after_state: '{"number":1.0}' });
    await entry(7).delete();
    const spare = newId();
    await entry(20).update({ id: idToBytes(spare) });
    await entry(21).update({ id: idToBytes(ids[20]!) });
    await entries()
      .where('id', idToBytes(spare))
      .update({ id: idToBytes(ids[21]!) });
    expect(kinds(await check())).to.deep.equal([
      ['altered', ids[3]],
      ['altered', ids[4]],
      ['removed', ids[7]],
      ['altered', ids[20]],
      ['altered', ids[21]],
    ]);
  });

  it('names what was added, whether it has got a leaf or not', async () => {
    await writeEntries(store, workspaceId, { count: 1 });
    await sequenced(301);
    const [late] = await writeEntries(store, workspaceId, { count: 1, agoMs: 3_000_000 });
    await sequenced(302);
    const bare = { principal: 'x', action: 'x', resource_type: 'x', resource_id: 'x', created_at: new Date() };
    const added = idAgo(2_000_000);
    await store
      .database('audit_entries')
      .insert({ id: idToBytes(added), workspace_id: idToBytes(workspaceId), ...bare });
    expect(kinds(await check())).to.deep.equal([
      ['added', late],
      ['added', added],
    ]);
  });

  it('finds leaves that were changed, reordered and removed, and a node that was', async () => {
    const owner = { workspace_id: idToBytes(workspaceId) };
    await leaf(5).update({ position: 9999 });
    await leaf(6).update({ position: 5 });
    await store
      .database('evidence_leaves')
      .where({ ...owner, position: 9999 })
      .update({ position: 6 });
    await store
      .database('evidence_nodes')
      .where(owner)
      .update({ hash: Buffer.alloc(32) });
    const { findings } = await check();
    expect(findings.map(({ kind, detail }) => [kind, detail])).to.deep.include.members([
      ['tree', 'node 0 of level 8 is not that of its leaves'],
      ['head', 'the head of 300 leaves that the database has is not that of the leaves'],
      ['head', 'the head of 300 leaves that the witness has is not that of the leaves'],
    ]);
    await leaf(100).delete();
    expect((await check()).findings.at(-1)).to.deep.include({
      kind: 'removed',
      detail: 'leaf 100 is missing; what comes after it cannot be checked',
    });
  });

  it('finds, by the heads of a witness, that all tables were set back to what they were', async () => {
    const tables = ['evidence_trees', 'evidence_leaves', 'evidence_nodes', 'evidence_heads', 'audit_entries'];
    const owner = { workspace_id: idToBytes(workspaceId) };
    const before = await Promise.all(tables.map((table) => store.database(table).where(owner)));
    await writeEntries(store, workspaceId, { count: 3 });
    await sequenced(303);
    for (const [at, table] of tables.entries()) {
      await store.database(table).where(owner).delete();
      if (before[at]!.length > 0) await store.database(table).insert(before[at]);
    }
    const { findings } = await check();
    expect(findings.map(({ kind, detail }) => [kind, detail])).to.deep.equal([
      ['head', 'the witness has a head of 303 leaves, but the tree has fewer: it was set back'],
    ]);
  });

  it('finds a head that was forged with a former key', async () => {
    const [former] = await listEvidenceKeys(store.database);
    await rotateEvidenceKey({ ...store, publishDelayS: 0 });
    await writeEntries(store, workspaceId, { count: 1 });
    await sequenced(301);
    const { checkpoint } = (await findTree(store.database, workspaceId))!;
    const { origin, size, root } = parseCheckpoint(checkpoint);
    const key = { publicKey: former!.publicKey, privateKey: openEvidenceKey(store.encryption, former!) };
    const forged = signCheckpoint(origin, { size, root }, key);
    await store.database('evidence_trees').where('workspace_id', idToBytes(workspaceId)).update({ checkpoint: forged });
    // The witness has the true one, signed by the later key.
    const names = (await readdir(join(folder, workspaceId))).filter((name) => name.endsWith('.txt'));
    expect(names).to.have.length(2);
    const held = join(folder, workspaceId, '0000000000000299.txt');
    const later = await listEvidenceKeys(store.database);
    await writeFile(held, await readFile(join(folder, workspaceId, names.sort().at(-1)!), 'utf8'));
    expect(later).to.have.length(2);
    const { findings } = await check();
    expect(findings.map(({ detail }) => detail)).to.deep.include(
      'the head of 301 leaves that the database has is signed by a former key, although a smaller one is signed by a later key',
    );
  });

  it('takes what was pruned for pruned', async () => {
    const before = new Date(Date.now() - 600_000).toISOString();
    const prune = { principal: 'x', resource_type: 'audit_entry', resource_id: 'x', created_at: new Date() };
    await entries().delete();
    await store.database('audit_entries').insert({
      ...{ id: idToBytes(newId()), workspace_id: idToBytes(workspaceId), ...prune },
      ...{ action: 'audit_entry.prune', after_state: JSON.stringify({ before }) },
    });
    await sequenced(301);
    expect(await check(0)).to.deep.equal({ leaves: 301, findings: [] });
  });
});
