import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import type { Knex } from 'knex';
import { ByteBudget } from '../../src/admission/byteBudget.js';
import { checkTree, type Finding } from '../../src/evidence/check.js';
import { isSignedBy, parseCheckpoint } from '../../src/evidence/checkpoint.js';
import { Follower } from '../../src/evidence/follower.js';
import { createKeptHeads } from '../../src/evidence/keptHeads.js';
import { createEvidenceKeys } from '../../src/evidence/keys.js';
import { listEvidenceKeys } from '../../src/evidence/keys.store.js';
import { createReadNode } from '../../src/evidence/nodes.js';
import { originIn } from '../../src/evidence/origin.js';
import { consistencyPath, inclusionPath, isConsistent, rootOfPath } from '../../src/evidence/paths.js';
import { createRecords, noAccount } from '../../src/evidence/records.js';
import type { PollLoop } from '../../src/clock/pollLoop.js';
import { Frontier, leafHash } from '../../src/evidence/tree.js';
import { findTree, keptHeadsOf } from '../../src/evidence/trees.store.js';
import { idFromBytes, idTime, idToBytes, newId } from '../../src/storage/ids.js';
import type { EvidenceState } from '../../src/evidence/sequencer.js';
import { buildDeployed, recordOf } from '../support/deployed.js';
import { allLeaves, idAgo, issuer, sequencerOn, writeEntries } from '../support/evidence.js';
import { isLong } from '../support/environment.js';
import { eventually } from '../support/eventually.js';
import { makeDue } from '../support/jobs.js';
import { useScratchStore } from '../support/factories.js';
import { writeRecords } from '../support/records.js';
import { testPace } from '../support/settings.js';

describe('the sequencer of evidence', () => {
  const store = useScratchStore();
  const running: PollLoop[] = [];

  afterEach(() => Promise.all(running.splice(0).map((sequencer) => sequencer.stop())));

  function start(count = 1): void {
    for (let number = 0; number < count; number++) {
      const sequencer = sequencerOn(store);
      sequencer.start();
      running.push(sequencer);
    }
  }

  const sizeOf = async (workspaceId: string): Promise<number> =>
    (await findTree(store.database, workspaceId))?.size ?? 0;

  it('knows since when everything is complete: not while a workspace fails, and only where it sequences', async () => {
    const [state, idle] = [0, 1].map((): EvidenceState => ({ refused: new Map(), completeAt: undefined }));
    const begun = [state!, idle!].map((each) => sequencerOn(store, { state: each }));
    running.push(...begun);
    begun[0]!.start();
    await eventually(() => state!.completeAt !== undefined);
    begun[1]!.start();
    await writeEntries(store, newId(), { count: 1 });
    const after = performance.now();
    await eventually(() => (state!.completeAt ?? 0) > after);

    await store.database.raw('RENAME TABLE evidence_leaves TO elsewhere');
    await writeEntries(store, newId(), { count: 1 });
    const broken = performance.now();
    await eventually(() => performance.now() > broken + 5 * testPace.evidencePoll);
    expect(state!.completeAt).to.be.below(broken + testPace.evidencePoll);
    await store.database.raw('RENAME TABLE elsewhere TO evidence_leaves');
    await eventually(() => (state!.completeAt ?? 0) > broken + 5 * testPace.evidencePoll);
    expect(idle!.completeAt, 'the other process').to.equal(undefined);
  });

  /** Exactly these have leaves, each one; all hashes are those of the records, and lead to the head, which is signed. */
  async function expectWhole(workspaceId: string, ids: readonly string[]): Promise<void> {
    const { database } = store;
    const leaves = await allLeaves(store, workspaceId);
    expect(leaves.map(({ position }) => position)).to.deep.equal(leaves.map((_, at) => at));
    expect(leaves.map(({ subjectId }) => subjectId).sort()).to.deep.equal([...ids].sort());
    const subjects = { kind: 'audit_entry', workspaceId, ids: ids.map(idToBytes) } as const;
    const texts = new Map<string, string>();
    for await (const { id, text } of createRecords(store).each(subjects, noAccount)) texts.set(id, text);
    const frontier = new Frontier();
    for (const { subjectId, salt, hash } of leaves) {
      expect(leafHash(salt!, texts.get(subjectId)!)).to.deep.equal(hash);
      frontier.append(hash);
    }
    const tree = (await findTree(database, workspaceId))!;
    const head = parseCheckpoint(tree.checkpoint);
    expect({ origin: head.origin, size: head.size, root: head.root }).to.deep.equal({
      origin: `verdict.example/evidence/${workspaceId}`,
      size: ids.length,
      root: frontier.root(),
    });
    const [key] = await listEvidenceKeys(database);
    expect(isSignedBy(head, key!.publicKey)).to.equal(true);
    for (const position of [0, Math.floor(ids.length / 2), ids.length - 1]) {
      const path = await inclusionPath(createReadNode(database, workspaceId), position, ids.length);
      expect(rootOfPath(leaves[position]!.hash, position, ids.length, path)).to.deep.equal(head.root);
    }
    for await (const kept of keptHeadsOf(database, workspaceId)) {
      const earlier = parseCheckpoint(kept.checkpoint);
      const path = await consistencyPath(createReadNode(database, workspaceId), earlier.size, head.size);
      expect(isConsistent(earlier, head, path)).to.equal(true);
    }
  }

  it('gives everything that is there its leaf, in the order of the ids, and what comes after it too', async () => {
    const workspaceId = newId();
    const ids = await writeEntries(store, workspaceId, { count: 700, agoMs: 3_600_000 });
    start();
    await eventually(async () => (await sizeOf(workspaceId)) === 700);
    const inOrder = (await allLeaves(store, workspaceId)).map(({ subjectId }) => subjectId);
    expect(inOrder).to.deep.equal([...ids].sort());
    ids.push(...(await writeEntries(store, workspaceId, { count: 3 })));
    await eventually(async () => (await sizeOf(workspaceId)) === 703);
    await expectWhole(workspaceId, ids);
    expect(issuer).to.equal('https://verdict.example');
  });

  it('asks the audit trail about no record that tells anything of its run, be it without its fact', async () => {
    const deployed = await buildDeployed(store);
    const { workspaceId } = deployed;
    const failed = { status: 'FAILED', error: '{"code":"type_error","message":"m"}' } as const;
    await writeRecords(store.database, [
      ...Array.from({ length: 40 }, () => recordOf(deployed, { fact: null })),
      recordOf(deployed, { fact: null, result: '{"error":"m"}', ...failed }),
    ]);
    const looks: string[] = [];
    const note = ({ sql }: Knex.Sql): void => {
      if (sql.includes('audit_entries_resource')) looks.push(sql);
    };
    store.database.on('query', note);
    start();
    await eventually(async () => (await sizeOf(workspaceId)) >= 41);
    store.database.removeListener('query', note);
    expect(looks).to.deep.equal([]);
  });

  it('never misses what is committed late, however old its id is by then', async () => {
    const workspaceId = newId();
    const ids = await writeEntries(store, workspaceId, { count: 5 });
    start();
    await eventually(async () => (await sizeOf(workspaceId)) === 5);
    // The last of them is beyond what is looked at again each few seconds: a slow search finds it.
    for (const agoMs of [2000, 20_000, 50_000, 3_600_000]) {
      const transaction = await store.database.transaction();
      const late = await writeEntries({ database: transaction }, workspaceId, { count: 1, agoMs });
      const before = await writeEntries(store, workspaceId, { count: 1 });
      await eventually(async () => (await sizeOf(workspaceId)) === ids.length + 1);
      await transaction.commit();
      ids.push(...before, ...late);
      await eventually(async () => (await sizeOf(workspaceId)) === ids.length);
    }
    await expectWhole(workspaceId, ids);
  });

  it('never takes for settled what may still be committed, wherever a slice of a busy workspace ends', async () => {
    const [workspaceId, lateMs] = [newId(), 60_000];
    const ids = [
      ...(await writeEntries(store, workspaceId, { count: 700, agoMs: 2 * lateMs })),
      ...(await writeEntries(store, workspaceId, { count: 1200 })),
    ];
    const { database } = store;
    const follower = new Follower(
      {
        ...{
          database,
          lateMs,
          records: createRecords(store),
          budget: new ByteBudget(2 ** 26),
          kept: createKeptHeads(null),
        },
        ...{ keys: createEvidenceKeys(store), originOf: originIn(issuer) },
        ...{ rest: () => Promise.resolve(), grown: () => undefined },
      },
      'audit_entry',
      workspaceId,
    );
    let isMore = true;
    let slices = 0;
    for (; isMore; slices++) {
      isMore = await follower.workSlice(idToBytes(ids.toSorted().at(-1)!), 1);
      const { cursors } = (await findTree(database, workspaceId))!;
      const settledUntil = idTime(idFromBytes(cursors.audit_entry)).getTime();
      expect(settledUntil, `slice ${slices}`).to.be.at.most(Date.now() - lateMs);
    }
    expect(slices).to.be.above(3);
    await expectWhole(workspaceId, ids);
  });

  it('gives what is ahead of its time its leaf when that has come, so that nothing looks added that comes meanwhile', async () => {
    const workspaceId = newId();
    const minute = 60_000;
    const [ahead = ''] = await writeEntries(store, workspaceId, { count: 1, agoMs: -20 * minute });
    const ids = await writeEntries(store, workspaceId, { count: 1, agoMs: -4 * minute });
    start();
    await eventually(async () => (await sizeOf(workspaceId)) >= 1);
    ids.push(...(await writeEntries(store, workspaceId, { count: 3 })));
    await eventually(async () => (await sizeOf(workspaceId)) >= 4);
    expect((await allLeaves(store, workspaceId)).map(({ subjectId }) => subjectId).sort()).to.deep.equal(ids.sort());
    const findings: Finding[] = [];
    const parts = { ...store, records: createRecords(store), budget: new ByteBudget(2 ** 24), folder: null };
    const tree = (await findTree(store.database, workspaceId))!;
    await checkTree(parts, tree, { found: (finding) => findings.push(finding), checked: () => undefined });
    expect(findings).to.deep.equal([]);
    // Its time has come.
    const entry = store.database('audit_entries').where('id', idToBytes(ahead));
    const now = idAgo(0);
    await entry.update({ id: idToBytes(now) });
    await eventually(async () => (await sizeOf(workspaceId)) === 5);
    ids.push(now, ...(await writeEntries(store, workspaceId, { count: 1, agoMs: -9 * 24 * 60 * minute })));
    await eventually(async () => (await sizeOf(workspaceId)) === 6);
    await expectWhole(workspaceId, ids);
  });

  it('gives each record one leaf where several sequence at once, whoever has the lease', async () => {
    const workspaces = [newId(), newId(), newId()];
    const ids = await Promise.all(
      workspaces.map((workspaceId) => writeEntries(store, workspaceId, { count: 900, agoMs: 600_000 })),
    );
    start(3);
    for (let round = 0; round < 10; round++) {
      // As though its holder stood still for longer than its lease.
      await makeDue(store.database, 'evidence');
      await sleep(100);
    }
    for (const [at, workspaceId] of workspaces.entries()) {
      await eventually(async () => (await sizeOf(workspaceId)) === 900);
      await expectWhole(workspaceId, ids[at]!);
    }
  });

  it('leaves a whole tree when its process is killed at any moment, and another goes on', async () => {
    const workspaceId = newId();
    const ids = await writeEntries(store, workspaceId, { count: isLong ? 12_000 : 6000, agoMs: 600_000 });
    for (let round = 0; round < (isLong ? 6 : 3); round++) {
      const child = fork(new URL('../support/killed-sequencer.js', import.meta.url), [store.url]);
      const exited = once(child, 'exit');
      await once(child, 'message');
      const size = await sizeOf(workspaceId);
      await eventually(async () => (await sizeOf(workspaceId)) > size);
      await sleep((isLong ? 17 : 34) * round);
      child.kill('SIGKILL');
      await exited;
      await makeDue(store.database, 'evidence');
      const [tree, leaves] = [await findTree(store.database, workspaceId), await allLeaves(store, workspaceId)];
      expect(leaves).to.have.length(tree!.size);
      if (tree!.size === ids.length) break;
    }
    start();
    await eventually(async () => (await sizeOf(workspaceId)) === ids.length);
    await expectWhole(workspaceId, ids);
  });

  it('gives no leaf to what belongs to no workspace, and keeps the trees of workspaces apart', async () => {
    const [one, other] = [newId(), newId()];
    const ids = [await writeEntries(store, one, { count: 2 }), await writeEntries(store, other, { count: 3 })];
    const bare = { principal: 'x', action: 'x', resource_type: 'x', resource_id: 'x', created_at: new Date() };
    await store.database('audit_entries').insert({ id: idToBytes(idAgo(0)), workspace_id: null, ...bare });
    start();
    await eventually(async () => (await sizeOf(one)) === 2 && (await sizeOf(other)) === 3);
    await expectWhole(one, ids[0]!);
    await expectWhole(other, ids[1]!);
    expect(await store.database('evidence_leaves').count({ total: '*' })).to.deep.equal([{ total: 5 }]);
  });
});
