import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { createKeptHeads } from '../../../src/evidence/keptHeads.js';
import { isSignedBy, parseCheckpoint } from '../../../src/evidence/checkpoint.js';
import { listEvidenceKeys } from '../../../src/evidence/keys.store.js';
import { findTree, type RefusalReason } from '../../../src/evidence/trees.store.js';
import { createWitness } from '../../../src/evidence/witness.js';
import { idToBytes, newId } from '../../../src/storage/ids.js';
import { verdictWith, type CommandResult } from '../../support/cli.js';
import { eventually } from '../../support/eventually.js';
import { sequencerOn, writeEntries } from '../../support/evidence.js';
import { useScratchStore } from '../../support/factories.js';
import { useFreshFolder } from '../../support/folder.js';

const tables = ['evidence_trees', 'evidence_leaves', 'evidence_nodes', 'evidence_heads', 'audit_entries'] as const;
type Backup = ReadonlyMap<string, readonly object[]>;

describe('evidence after a restore', () => {
  const store = useScratchStore();
  const folder = useFreshFolder();
  let workspaceId: string;
  let refused: Map<string, RefusalReason>;

  beforeEach(async () => {
    workspaceId = newId();
    refused = new Map();
    await writeEntries(store, workspaceId, { count: 300 });
    await sequenced(300);
  });

  const sequencer = () =>
    sequencerOn(store, { witness: createWitness(folder), refused, kept: createKeptHeads(folder) });
  async function sequenced(size: number): Promise<void> {
    const running = sequencer();
    running.start();
    await eventually(async () => {
      const tree = await findTree(store.database, workspaceId);
      return tree?.size === size && tree.witnessed === size;
    });
    await running.stop();
  }
  async function backUp(): Promise<Backup> {
    const backup = new Map<string, object[]>();
    for (const table of tables) backup.set(table, await store.database(table).select<object[]>());
    return backup;
  }
  async function restore(backup: Backup): Promise<void> {
    for (const [table, rows] of backup) {
      await store.database(table).delete();
      for (let at = 0; at < rows.length; at += 100) await store.database(table).insert(rows.slice(at, at + 100));
    }
  }
  const run = (...args: string[]): Promise<CommandResult> =>
    verdictWith({ DATABASE_URL: store.url, EVIDENCE_WITNESS: folder }, 'evidence', ...args, '--json');
  const findings = async (): Promise<unknown> =>
    ((await run('check')).json as { findings: { kind: string; detail: string }[] }).findings.map(
      ({ kind, detail }) => `${kind}: ${detail}`,
    );
  /** Every head that ever left the service, by the name and the size that it is of. */
  async function witnessed(): Promise<Map<string, Set<string>>> {
    const heads = new Map<string, Set<string>>();
    for (const own of await readdir(folder))
      for (const name of (await readdir(join(folder, own))).filter((one) => one.endsWith('.txt'))) {
        const { origin, size, root } = parseCheckpoint(await readFile(join(folder, own, name), 'utf8'));
        const key = `${origin} ${size}`;
        heads.set(key, (heads.get(key) ?? new Set()).add(root.toString('base64')));
      }
    return heads;
  }

  for (const [what, later, afterwards] of [
    ['fewer records than were lost', 50, 20],
    ['more records than were lost', 50, 80],
  ] as const) {
    it(`signs nothing of the old tree with ${what}, says so, and goes on as another tree after a restart with its reason`, async () => {
      const backup = await backUp();
      await writeEntries(store, workspaceId, { count: later });
      await sequenced(300 + later);
      await restore(backup);
      await writeEntries(store, workspaceId, { count: afterwards });
      const running = sequencer();
      running.start();
      await eventually(() => refused.get(workspaceId) === 'evidence_behind');
      expect((await findTree(store.database, workspaceId))?.size).to.equal(300);
      const reason = 'Restored the backup of noon';
      const restarted = await run('restart', '--reason', reason);
      expect(restarted.exit, restarted.stderr).to.equal(0);
      const size = 300 + 1 + afterwards;
      await eventually(async () => (await findTree(store.database, workspaceId))?.witnessed === size);
      await eventually(() => refused.size === 0);
      await running.stop();

      const tree = (await findTree(store.database, workspaceId))!;
      const head = parseCheckpoint(tree.checkpoint);
      expect(head.origin).to.equal(`verdict.example/evidence/${workspaceId}/2`);
      const [key] = await listEvidenceKeys(store.database);
      expect(isSignedBy(head, key!.publicKey)).to.equal(true);
      for (const [name, roots] of await witnessed()) expect(roots.size, name).to.equal(1);
      const [entry] = (await store
        .database('audit_entries')
        .where({ workspace_id: idToBytes(workspaceId), action: 'evidence.restart' })) as {
        id: Buffer;
        after_state: string;
      }[];
      const told = JSON.parse(entry!.after_state) as { reason: string; leaves: number; head: string };
      expect(told).to.include({ reason, leaves: 300 });
      expect(parseCheckpoint(told.head).size).to.equal(300 + later);
      const [leaf] = (await store
        .database('evidence_leaves')
        .where({ workspace_id: idToBytes(workspaceId), position: 300 })) as { subject_id: Buffer }[];
      expect(leaf!.subject_id).to.deep.equal(entry!.id);
      expect(await findings()).to.deep.equal([]);
      expect((await run('restart', '--reason', 'again')).exit).to.equal(1);
    });
  }

  it('knows it also of a database that was restored to before a restart, and of one that is restored beneath a server', async () => {
    const backup = await backUp();
    await writeEntries(store, workspaceId, { count: 10 });
    await sequenced(310);
    await restore(backup);
    expect((await run('restart', '--reason', 'first')).exit).to.equal(0);
    await sequenced(301);
    const running = sequencer();
    running.start();
    await writeEntries(store, workspaceId, { count: 1 });
    await eventually(async () => (await findTree(store.database, workspaceId))?.witnessed === 302);
    await restore(backup);
    await writeEntries(store, workspaceId, { count: 5 });
    await eventually(() => refused.get(workspaceId) === 'evidence_behind');
    expect((await run('restart', '--reason', 'second')).exit).to.equal(0);
    await eventually(async () => (await findTree(store.database, workspaceId))?.witnessed === 306);
    await running.stop();
    expect((await findTree(store.database, workspaceId))?.origin).to.match(/\/3$/);
    for (const [name, roots] of await witnessed()) expect(roots.size, name).to.equal(1);
    expect(await findings()).to.deep.equal([]);
  });

  it('still finds a head that was set back and that no restart tells of, and leaves that were changed before one', async () => {
    const backup = await backUp();
    await writeEntries(store, workspaceId, { count: 10 });
    await sequenced(310);
    await restore(backup);
    const setBack = 'head: the witness has a head of 310 leaves, but the tree has fewer: it was set back';
    expect(await findings()).to.deep.equal([setBack]);
    // An entry alone excuses nothing: it must have the leaf that it tells of.
    const [{ checkpoint }] = [(await findTree(store.database, workspaceId))!];
    const [forged] = await writeEntries(store, workspaceId, { count: 1 });
    const after = { generation: 2, leaves: 7, head: checkpoint.replace('\n300\n', '\n310\n'), reason: 'forged' };
    const entry = () => store.database('audit_entries').where('id', idToBytes(forged!));
    await entry().update({ action: 'evidence.restart', after_state: JSON.stringify(after) });
    expect(await findings()).to.deep.equal([setBack]);
    await entry().delete();
    expect((await run('restart', '--reason', 'first')).exit).to.equal(0);
    await sequenced(301);
    const owner = { workspace_id: idToBytes(workspaceId) };
    await store
      .database('evidence_leaves')
      .where({ ...owner, position: 7 })
      .update({ hash: Buffer.alloc(32) });
    const found = (await findings()) as string[];
    expect(found.some((one) => one.startsWith('head: the head of 300 leaves that the witness has'))).to.equal(true);
  });

  it('lets a workspace begin a tree again that has old records and has lost its own', async () => {
    const bare = newId();
    await writeEntries(store, bare, { count: 5, agoMs: 3 * 24 * 3_600_000 });
    const running = sequencer();
    running.start();
    await eventually(() => refused.get(bare) === 'no_tree');
    const restarted = await run('restart', '--workspace', bare, '--reason', 'The tables of evidence were lost');
    expect(restarted.exit, restarted.stderr).to.equal(0);
    await eventually(async () => (await findTree(store.database, bare))?.size === 6);
    await running.stop();
    expect([...refused]).to.deep.equal([]);
    expect((await findTree(store.database, bare))?.origin).to.match(/\/2$/);
    expect(await findings()).to.deep.equal([]);
  });
});
