import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { idFromBytes } from '../../src/storage/ids.js';
import { bootApp, type TestApp } from '../support/app.js';
import { callerOf, type Caller } from '../support/http.js';
import { isLong } from '../support/environment.js';
import { doubling } from '../support/models.js';
import { startServer, type ServerProcess } from '../support/process.js';
import { recordedRows } from '../support/records.js';
import { buildScene, testDatabase, type Scene } from '../support/scene.js';
import { longTimeouts } from '../support/settings.js';

const rounds = isLong ? 3 : 1;
/** On a busy machine more are needed until a removal was refused, and another was not. */
const maxRounds = 12;
const roundMs = 2500;

/** What is executed is pruned at once, so that removals are decided by executions under way. */
describe('removals beside executions, on two processes of which one is killed', function () {
  this.timeout(maxRounds * (roundMs + 15_000));
  let lives: TestApp;
  let dies: ServerProcess;
  let scene: Scene;
  let decisionId: string;
  before(async () => {
    [lives, dies] = await Promise.all([bootApp(), startServer(longTimeouts)]);
    scene = await buildScene(lives);
    decisionId = await scene.decision('raced.json', doubling(1));
  });
  after(async () => {
    await dies.kill();
    await lives.stop();
  });

  it('no execution is without its deployment, and what was answered is there or was pruned', async () => {
    const database = testDatabase();
    const environmentId = await scene.environment();
    const [recorded, pruned] = [new Set<string>(), new Set<string>()];
    const counts = { recorded: 0, refused: 0, removed: 0, kept: 0 };
    const atAny = (): Caller => callerOf((Math.random() < 0.5 ? lives : dies).baseUrl, scene.token, scene.workspaceId);

    const isMissing = (): boolean => Object.values(counts).includes(0);
    for (let round = 0; round < rounds || (isMissing() && round < maxRounds); round++) {
      const until = performance.now() + roundMs;
      const again = async (work: () => Promise<void>): Promise<void> => {
        // A process that is killed answers nothing.
        while (performance.now() < until) await work().catch(() => undefined);
      };
      const execute = async (): Promise<void> => {
        const path = `/logic/${environmentId}/decisions/${decisionId}/executions`;
        const { status, body } = await atAny().post(path, { fact: { x: 1 } });
        if (status === 201) recorded.add((body as { id: string }).id);
        counts[status === 201 ? 'recorded' : 'refused']++;
        if (!isLong) await sleep(10);
      };
      const replace = async (): Promise<void> => {
        const id = await scene.deploy(decisionId, environmentId, 1);
        // Some are removed before anything is executed.
        if (Math.random() < 0.8) await sleep(Math.random() * 60);
        const { status } = await atAny().delete(`/logic/deployments/${id}`);
        if (status === 204) counts.removed++;
        if (status === 409) counts.kept++;
      };
      const prune = async (): Promise<void> => {
        const rows = (await database('executions').select('id').limit(50)) as { id: Buffer }[];
        for (const { id } of rows) pruned.add(idFromBytes(id));
        await database('executions')
          .whereIn(
            'id',
            rows.map(({ id }) => id),
          )
          .delete();
        await sleep(5);
      };
      const killing = sleep(roundMs / 2).then(async () => {
        await dies.kill();
        dies = await startServer(longTimeouts);
      });
      await Promise.all([...Array.from({ length: 6 }, () => again(execute)), again(replace), again(prune), killing]);
    }
    const rows = (await recordedRows(database)) as { id: Buffer; deployment_id: Buffer | null }[];
    expect(rows.filter(({ deployment_id }) => deployment_id === null)).to.deep.equal([]);
    const named: unknown[] = await recordedRows(database)
      .join('deployments as d', 'd.id', 'records.deployment_id')
      .select('records.id');
    expect(named).to.have.length(rows.length);
    const there = new Set(rows.map(({ id }) => idFromBytes(id)));
    expect([...recorded].filter((id) => !there.has(id) && !pruned.has(id))).to.deep.equal([]);
    expect(isMissing(), JSON.stringify(counts)).to.equal(false);
  });
});
