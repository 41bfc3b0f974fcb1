import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { bootApp, type TestApp } from '../support/app.js';
import { apply, ask, buildPerson, protect, review } from '../support/changes.js';
import { callerOf, type Caller } from '../support/http.js';
import { expressing } from '../support/models.js';
import { buildScene, type Scene } from '../support/scene.js';
import { isLong } from '../support/environment.js';

const rounds = isLong ? 25 : 4;
/** Executions that go on at the same time at each server, and the pause between two of them. */
const atOnce = isLong ? 4 : 2;
const pauseMs = isLong ? 0 : 5;

/** Without Redis a server hears of another's changes when what it has is too old. */
const ways: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'with Redis': {},
  'without Redis': { REDIS_URL: '' },
};

describe('a change request that brings a version and a variable', () => {
  let servers: TestApp[];
  let scene: Scene;
  afterEach(() => Promise.all(servers.map((server) => server.stop())));

  for (const [way, settings] of Object.entries(ways)) {
    it(`is never seen in part, ${way}: no execution at any server has the one without the other`, async () => {
      servers = await Promise.all([bootApp(settings), bootApp(settings)]);
      scene = await buildScene(servers[0]!);
      await expectTogether();
    });
  }

  async function expectTogether(): Promise<void> {
    const first = expressing({ version: '1', variable: '$env.V' });
    const { decisionId, environmentId } = await scene.deployed('pair.json', first);
    await scene.decision('pair.json', expressing({ version: '2', variable: '$env.V' }));
    await scene.variable(environmentId, 'V', 1);
    await protect(scene.caller, environmentId);
    const approver = await buildPerson(servers[0]!, scene);

    const seen: Record<string, number> = {};
    let over = false;
    async function execute(caller: Caller): Promise<void> {
      while (!over) {
        const path = `/logic/${environmentId}/decisions/${decisionId}/executions`;
        const { status, body, text } = await caller.post(path, { fact: {} });
        expect(status, text).to.equal(201);
        const { version, variable } = (body as { result: { version: number; variable: number } }).result;
        const pair = `version ${version}, variable ${variable}`;
        seen[pair] = (seen[pair] ?? 0) + 1;
        await sleep(pauseMs);
      }
    }
    const executing = servers.flatMap(({ baseUrl }) =>
      Array.from({ length: atOnce }, () => execute(callerOf(baseUrl, scene.token, scene.workspaceId))),
    );
    for (let round = 0; round < rounds; round++) {
      const version = 2 - (round % 2);
      const made = await ask(scene.caller, environmentId, [
        { type: 'deploy', decisionId, version },
        { type: 'variable', name: 'V', value: version },
      ]);
      expect((await review(approver.caller, made)).status).to.equal(201);
      const applied = await apply(scene.caller, made);
      expect(applied.status, applied.text).to.equal(200);
    }
    over = true;
    await Promise.all(executing);
    expect(Object.keys(seen).sort(), JSON.stringify(seen)).to.deep.equal([
      'version 1, variable 1',
      'version 2, variable 2',
    ]);
  }
});
