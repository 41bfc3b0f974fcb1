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
import { newId } from '../../src/storage/ids.js';
import { buildDeployed, recordOf, type Deployed } from '../support/deployed.js';
import { askErasure, erasureLoop, erasuresDone } from '../support/erasures.js';
import { eventually } from '../support/eventually.js';
import { issuer, sequencerOn } from '../support/evidence.js';
import { testActor, useScratchStore } from '../support/factories.js';
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
});
