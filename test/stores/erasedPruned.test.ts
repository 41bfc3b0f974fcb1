import { expect } from 'chai';
import type { PollLoop } from '../../src/clock/pollLoop.js';
import { insertDifferences } from '../../src/replays/differences.store.js';
import { newReplay, replays, uncounted } from '../../src/replays/replays.store.js';
import { pruneHistory } from '../../src/runs/prune.js';
import { idFromBytes, idToBytes, newId } from '../../src/storage/ids.js';
import { buildDeployed, recordOf, type Deployed } from '../support/deployed.js';
import { askErasure, erasureLoop, erasuresDone } from '../support/erasures.js';
import { idAgo } from '../support/evidence.js';
import { testActor, useScratchStore } from '../support/factories.js';
import { writeRecords } from '../support/records.js';

const dayMs = 86_400_000;

describe('an erasure of executions whose records were removed before', () => {
  const store = useScratchStore();
  let erasures: PollLoop;
  let deployed: Deployed;
  beforeEach(async () => {
    erasures = erasureLoop(store);
    deployed = await buildDeployed(store);
  });
  afterEach(() => erasures.stop());

  /** Executions that came out otherwise in a replay, and were then pruned. */
  async function replayedAndPruned(references: readonly (string | null)[]): Promise<string[]> {
    const { database } = store;
    const { workspaceId, environmentId, decisionId } = deployed;
    const ids = references.map(() => idAgo(2 * dayMs));
    const createdAt = new Date(Date.now() - 2 * dayMs);
    const records = references.map((reference, at) => recordOf(deployed, { id: ids[at] ?? '', createdAt, reference }));
    await writeRecords(database, records);
    const request = JSON.stringify({ environmentId, decisionId });
    const id = newId();
    await replays.insert(database, workspaceId, { ...newReplay, id, request, report: '{}' }, uncounted);
    await database('replays').where('id', idToBytes(id)).update({ status: 'COMPLETED' });
    const changes = JSON.stringify([{ pointer: '/name', before: 'Anna', after: null }]);
    const differences = references.map((reference, at) => ({
      ...{ executionId: ids[at] ?? '', reference, changes, pointers: ['/name'] },
    }));
    await database.transaction((transaction) => insertDifferences(transaction, { workspaceId, id }, differences));
    const before = new Date(Date.now() - dayMs);
    const { executions } = await pruneHistory({ database, actor: testActor }, { before, workspaceId }, () => undefined);
    expect(executions).to.equal(ids.length);
    return ids;
  }

  async function kept(): Promise<string[]> {
    const { database } = store;
    const of = { workspace_id: idToBytes(deployed.workspaceId) };
    const [rows, places] = await Promise.all(
      ['replay_differences', 'replay_places'].map((table) => database(table).where(of).pluck('execution_id')),
    );
    expect(places).to.deep.equal(rows);
    return (rows as Buffer[]).map(idFromBytes);
  }

  it('by their reference removes what replays have kept of them, however many, and of nobody else', async () => {
    const many = Array.from({ length: 120 }, () => 'anna');
    const [other, unnamed] = await replayedAndPruned(['anna-2', null, ...many]);
    await askErasure(store.database, deployed.workspaceId, { reference: 'anna' });
    erasures.start();
    await erasuresDone(store.database, deployed.workspaceId);
    expect(await kept()).to.deep.equal([other, unnamed].sort());
  });

  it('by their ids removes what replays have kept of them, also where no leaf tells of them', async () => {
    const [one, other] = await replayedAndPruned(['anna', 'bob']);
    await askErasure(store.database, deployed.workspaceId, { executionIds: [one ?? ''] });
    erasures.start();
    await erasuresDone(store.database, deployed.workspaceId);
    expect(await kept()).to.deep.equal([other]);
  });
});
