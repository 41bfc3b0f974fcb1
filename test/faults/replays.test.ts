import { expect } from 'chai';
import { idToBytes, newId } from '../../src/storage/ids.js';
import { eventually } from '../support/eventually.js';
import { makeDue } from '../support/jobs.js';
import { callerOf } from '../support/http.js';
import { expressing, scripting } from '../support/models.js';
import { startServer, type ServerProcess } from '../support/process.js';
import { ended, replayed, startReplay, type ShownReplay } from '../support/replays.js';
import { buildScene, testDatabase, type Scene } from '../support/scene.js';
import { longTimeouts } from '../support/settings.js';
import { isLong } from '../support/environment.js';

const executions = isLong ? 800 : 200;

describe('kill -9 of the server, during a replay', () => {
  let server: ServerProcess;
  let scene: Scene;
  before(async () => {
    server = await startServer(longTimeouts);
    scene = await buildScene(server);
  });
  after(() => server.stop());

  /** Copies the one execution that there is, with facts and results of their own. */
  async function multiply(id: string): Promise<void> {
    const database = testDatabase();
    const [row] = (await database('executions').where({ id: idToBytes(id) })) as Record<string, unknown>[];
    for (let from = 0; from < executions; from += 200) {
      const rows = Array.from({ length: 200 }, (_, index) => {
        const x = from + index;
        return {
          ...row,
          id: idToBytes(newId()),
          fact: JSON.stringify({ x }),
          result: JSON.stringify({ y: x, z: x % 9 }),
        };
      });
      await database('executions').insert(rows);
    }
  }

  /** All that does not depend on how long it took. */
  const countsOf = ({ report: { engine: _, ...counts }, done, total, status }: ShownReplay): object => ({
    // Hashes have a salt of each report's own.
    ...(JSON.parse(JSON.stringify(counts).replaceAll(/"hash":"[0-9a-f]{32}"/g, '"hash":"a hash"')) as object),
    done,
    total,
    status,
  });

  it('leaves the report of one that was not disturbed, and every difference once', async () => {
    const { decisionId, environmentId, path: at } = await scene.deployed('d.json', expressing({ y: 'x', z: 'x % 9' }));
    const first = await scene.caller.post(at, { fact: { x: 1 } });
    await multiply((first.body as { id: string }).id);
    // Progress is written twice a second: all of them take a few seconds, in which they wait.
    const slow = 'await console.sleep(25); return { y: input.x % 10 === 3 ? 0 : input.x, z: input.x % 9 }';
    await scene.decision('d.json', scripting(slow));
    const measures = [{ name: 'sum of y', expression: 'result.y', aggregate: 'sum' }];
    const request = { decisionId, environmentId, candidate: { version: 2 }, limit: executions, measures };

    const { id } = await startReplay(scene.caller, request);
    const database = testDatabase();
    const progress = async (): Promise<number> => {
      const [row] = (await database('replays').where({ id: idToBytes(id) })) as { done: number }[];
      return row?.done ?? 0;
    };
    for (let kills = 0; kills < (isLong ? 2 : 1); kills++) {
      const before = await progress();
      await eventually(async () => (await progress()) > before);
      await server.kill();
      expect(await progress()).to.be.below(executions);
      // In place of waiting until the lease of the dead process is over.
      await makeDue(database, 'replay', [id]);
      server = await startServer(longTimeouts);
    }
    const caller = callerOf(server.baseUrl, scene.token, scene.workspaceId);
    const disturbed = await ended(caller, id);
    const undisturbed = await replayed(caller, request);
    expect(countsOf(disturbed)).to.deep.equal(countsOf(undisturbed));
    expect(undisturbed.report).to.include({ replayed: executions, changed: executions / 10 });
    const differences = async (of: string): Promise<unknown> =>
      ((await caller.get(`/logic/replays/${of}/differences?size=5000`)).body as { data: unknown }).data;
    expect(await differences(id)).to.deep.equal(await differences(undisturbed.id));
  });
});
