import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { ByteBudget } from '../../src/admission/byteBudget.js';
import type { PollLoop } from '../../src/clock/pollLoop.js';
import { checkTree, type Finding } from '../../src/evidence/check.js';
import { erasedAmong } from '../../src/evidence/erased.js';
import { createKeptHeads } from '../../src/evidence/keptHeads.js';
import { createEvidenceKeys } from '../../src/evidence/keys.js';
import { withLeaf } from '../../src/evidence/leaves.store.js';
import { originIn } from '../../src/evidence/origin.js';
import { createRecords } from '../../src/evidence/records.js';
import { restartEvidence } from '../../src/evidence/restartEvidence.js';
import { findTree, type RefusalReason } from '../../src/evidence/trees.store.js';
import { createWitness } from '../../src/evidence/witness.js';
import { idToBytes, newId } from '../../src/storage/ids.js';
import { buildDeployed, recordOf, type Deployed } from '../support/deployed.js';
import { askErasure, erasureLoop, erasuresDone } from '../support/erasures.js';
import { eventually } from '../support/eventually.js';
import { issuer, sequencerOn } from '../support/evidence.js';
import { testActor, useScratchStore } from '../support/factories.js';
import { statementsWait } from '../support/locks.js';
import { writeRecord } from '../support/records.js';

describe('what is erased while the tree of its workspace is refused', () => {
  const store = useScratchStore();
  let folder: string;
  let deployed: Deployed;
  const running: PollLoop[] = [];
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'verdict-refused-'));
    deployed = await buildDeployed(store);
  });
  afterEach(async () => {
    await Promise.all(running.splice(0).map((loop) => loop.stop()));
    await rm(folder, { recursive: true });
  });

  async function executed(): Promise<string> {
    const id = newId();
    await writeRecord(store.database, recordOf(deployed, { id, reference: 'order 7' }));
    return id;
  }

  for (const [how, erased] of [
    ['by ids', (executionIds: string[]) => ({ executionIds })],
    ['by its reference', () => ({ reference: 'order 7' })],
  ] as const)
    it(`${how} is known as erased, before and after another tree is begun, of which it is a leaf like all that was erased`, async () => {
      const { database } = store;
      const { workspaceId } = deployed;
      const refused = new Map<string, RefusalReason>();
      const kept = createKeptHeads(folder);
      const sequencer = sequencerOn(store, { witness: createWitness(folder), refused, kept });
      running.push(sequencer);
      sequencer.start();
      await executed();
      await eventually(async () => ((await findTree(database, workspaceId))?.witnessed ?? 0) > 0);
      // As after a restore: the tree is behind the head that its witness has.
      for (const table of ['heads', 'nodes', 'leaves', 'trees']) await database(`evidence_${table}`).delete();
      const [gone, left] = [await executed(), await executed()];
      await eventually(() => refused.has(workspaceId));
      const erasures = erasureLoop(store, { kept });
      running.push(erasures);
      erasures.start();
      await askErasure(database, workspaceId, erased([gone]));
      await erasuresDone(database, workspaceId);
      await erasures.stop();
      const known = async (): Promise<Set<string>> => erasedAmong(database, workspaceId, [gone, left]);
      const meant = new Set(how === 'by ids' ? [gone] : [gone, left]);
      expect(await known()).to.deep.equal(meant);

      const parts = { ...store, actor: testActor, keys: createEvidenceKeys(store), kept, originOf: originIn(issuer) };
      await restartEvidence(parts, workspaceId, 'restored');
      await eventually(() => refused.size === 0);
      await eventually(async () => (await withLeaf(database, workspaceId, [gone, left])).size === 2);
      expect(await known()).to.deep.equal(meant);
      await sequencer.stop();
      const findings: Finding[] = [];
      const checked = { ...store, records: createRecords(store), budget: new ByteBudget(2 ** 24), folder: null };
      const tree = (await findTree(database, workspaceId))!;
      await checkTree(checked, tree, { found: (finding) => findings.push(finding), checked: () => undefined });
      expect(findings).to.deep.equal([]);
    });

  it('is known as erased, too, where the head that it is behind is given up, and where it gets its leaf meanwhile', async () => {
    const { database } = store;
    const { workspaceId } = deployed;
    const refused = new Map<string, RefusalReason>();
    const kept = createKeptHeads(folder);
    const sequencing = (): PollLoop => {
      const sequencer = sequencerOn(store, { witness: createWitness(folder), refused, kept });
      running.push(sequencer);
      sequencer.start();
      return sequencer;
    };
    const [earlier] = [sequencing(), await executed()];
    await eventually(async () => ((await findTree(database, workspaceId))?.witnessed ?? 0) > 0);
    await earlier.stop();
    const before = await database('evidence_trees').select<object[]>();
    const [later] = [sequencing(), await executed()];
    const size = async (): Promise<number> => (await findTree(database, workspaceId))?.size ?? 0;
    const first = await size();
    await eventually(async () => (await size()) > first && (await findTree(database, workspaceId))!.witnessed > first);
    await later.stop();
    for (const table of ['heads', 'nodes', 'leaves', 'trees']) await database(`evidence_${table}`).delete();
    await database('evidence_trees').insert(before.map((row) => ({ ...row, size: 0, frontier: '', checkpoint: '' })));

    const [early, late] = [await executed(), await executed()];
    const erasures = erasureLoop(store, { kept });
    running.push(erasures);
    erasures.start();
    await askErasure(database, workspaceId, { executionIds: [early] });
    await erasuresDone(database, workspaceId);
    // Somebody gives a leaf to the other one while it is erased.
    const growing = await database.transaction();
    await growing('evidence_trees').select('workspace_id').forUpdate();
    await askErasure(database, workspaceId, { executionIds: [late] });
    await Promise.race([
      statementsWait(database, /from `evidence_trees`.* for update/),
      erasuresDone(database, workspaceId),
    ]);
    const leaf = { workspace_id: idToBytes(workspaceId), position: 0, kind: 'execution', subject_id: idToBytes(late) };
    await growing('evidence_leaves').insert({ ...leaf, hash: Buffer.alloc(32), salt: Buffer.alloc(32) });
    await growing.commit();
    await erasuresDone(database, workspaceId);
    expect(await erasedAmong(database, workspaceId, [late])).to.deep.equal(new Set([late]));
    await database('evidence_leaves').delete();
    await database('evidence_trees').delete();
    const other = sequencerOn(store);
    running.push(other);
    other.start();
    await eventually(async () => (await withLeaf(database, workspaceId, [early, late])).size === 2);
    expect(await erasedAmong(database, workspaceId, [early, late])).to.deep.equal(new Set([early, late]));
  });
});
