import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import type { Knex } from 'knex';
import type { ChangeRequest } from '../../src/changes/changes.schema.js';
import { idToBytes } from '../../src/storage/ids.js';
import { bootApp, type TestApp } from '../support/app.js';
import { ask, buildPerson, protect, requestsPath, reread, review } from '../support/changes.js';
import { isLong } from '../support/environment.js';
import { callerOf, type Caller } from '../support/http.js';
import { statementsWait } from '../support/locks.js';
import { doubling } from '../support/models.js';
import { startServer, type ServerProcess } from '../support/process.js';
import { buildScene, testDatabase, type Scene } from '../support/scene.js';
import { longTimeouts } from '../support/settings.js';

describe('a process that dies while it applies a change request', () => {
  /** It stays; `victim` is killed. */
  let witness: TestApp;
  let victim: ServerProcess;
  let scene: Scene;
  let environmentId: string;
  let decisionId: string;
  let made: ChangeRequest;
  before(async () => {
    witness = await bootApp();
  });
  after(() => witness.stop());
  beforeEach(async () => {
    victim = await startServer(longTimeouts);
    scene = await buildScene(witness);
    ({ decisionId, environmentId } = await scene.deployed('factor.json', doubling(1)));
    await scene.decision('factor.json', doubling(2));
    await scene.variable(environmentId, 'V', 1);
    await protect(scene.caller, environmentId);
    made = await ask(scene.caller, environmentId, [
      { type: 'deploy', decisionId, version: 2 },
      { type: 'variable', name: 'V', value: 2 },
      { type: 'hosts', hosts: ['two.example'] },
    ]);
    const { caller } = await buildPerson(witness, scene);
    expect((await review(caller, made)).status).to.equal(201);
  });
  afterEach(() => victim.kill());

  /** What is in force, as the process sees it that lives. */
  const inForce = async (): Promise<unknown[]> => {
    const { caller } = scene;
    const path = `/logic/${environmentId}/decisions/${decisionId}/executions`;
    const { body } = await caller.post(path, { fact: { x: 1 } });
    const variables = (await caller.get(`/logic/environments/${environmentId}/variables`)).body;
    const hosts = (await caller.get(`/logic/environments/${environmentId}/hosts`)).body;
    return [
      (body as { result: { y: number } }).result.y,
      (variables as { data: { value: unknown }[] }).data[0]?.value,
      (hosts as { hosts: string[] }).hosts,
    ];
  };
  const none = [1, 1, []];
  const whole = [2, 2, ['two.example']];
  const applyAt = async (caller: Caller): Promise<number | null> => {
    try {
      return (await caller.post(`${requestsPath}/${made.id}/apply`, {})).status;
    } catch {
      return null;
    }
  };

  const id = idToBytes;
  /** At which step it is held: the row that somebody else has, and the statement that waits for it. */
  const steps: Readonly<Record<string, readonly [rows: (database: Knex) => Knex.QueryBuilder, waiting: RegExp]>> = {
    'before its first lock': [
      (database) => database('environments').where('id', id(environmentId)),
      /^update `environments`.*config_revision/i,
    ],
    'before it has the request': [
      (database) => database('change_requests').where('id', id(made.id)),
      /from `change_requests`.*for update/i,
    ],
    'before it has the decisions': [
      (database) => database('decisions').where('id', id(decisionId)),
      /from `decisions`.*(for share|lock in share mode)/i,
    ],
    'between the hosts and the variable': [
      (database) => database('variables').where('environment_id', id(environmentId)),
      /^insert into `variables`/i,
    ],
    'between the configuration and the route': [
      (database) => database('routing_heads').where('environment_id', id(environmentId)),
      /INSERT INTO routing_heads/i,
    ],
    'between the deployment and its note': [
      (database) => database('change_request_changes').where('change_request_id', id(made.id)),
      /^update `change_request_changes` set `deployment_id`/i,
    ],
  };

  /** Its beginning, middle and end; all of them in the long form. */
  const tried = Object.entries(steps).filter((_, at) => isLong || [0, 3, 5].includes(at));
  for (const [name, [rows, waiting]] of tried) {
    it(`${name}, leaves nothing of it in force, and another process applies all of it`, async () => {
      const database = testDatabase();
      await database.transaction(async (holder) => {
        await rows(holder).forUpdate();
        const answer = applyAt(callerOf(victim.baseUrl, scene.token, scene.workspaceId));
        await statementsWait(database, waiting);
        await victim.kill();
        expect(await answer).to.equal(null);
      });
      expect(await reread(scene.caller, made))
        .to.include({ state: 'APPROVED' })
        .and.deep.include({ deploymentIds: [] });
      expect(await inForce()).to.deep.equal(none);
      expect(await applyAt(scene.caller)).to.equal(200);
      expect(await inForce()).to.deep.equal(whole);
    });
  }

  for (const ms of isLong ? [10, 20, 40, 80] : [25]) {
    it(`after ${ms} ms, leaves all of it in force or nothing, and the request says which`, async () => {
      const answer = applyAt(callerOf(victim.baseUrl, scene.token, scene.workspaceId));
      // No state to wait for: the moment is to be any.
      await Promise.race([answer, sleep(ms)]);
      await victim.kill();
      const status = await answer;
      // MySQL may be about to notice that the connection is gone, or to commit: who gets the lock comes after that.
      await testDatabase()('change_requests').where('id', id(made.id)).forUpdate().select('id');
      const { state, deploymentIds } = await reread(scene.caller, made);
      expect(state).to.equal(deploymentIds.length === 1 ? 'APPLIED' : 'APPROVED');
      if (status === 200) expect(state).to.equal('APPLIED');
      if (state === 'APPROVED') expect(await applyAt(scene.caller)).to.equal(200);
      await scene.settled();
      expect(await inForce()).to.deep.equal(whole);
    });
  }
});
