import { expect } from 'chai';
import { idToBytes } from '../../src/storage/ids.js';
import { useApp } from '../support/app.js';
import type { Answer } from '../support/http.js';
import { statementsWait } from '../support/locks.js';
import { chain, expressions } from '../support/tasks.js';
import { testDatabase, useScene } from '../support/scene.js';
import { bodyOf } from '../support/asserts.js';

describe('environments, deployments and executions, written at the same time', () => {
  const app = useApp();
  const scene = useScene(app);
  let decisionId: string;
  before(async () => {
    decisionId = await scene.decision('a.json', chain(expressions({ doubled: 'n * 2' })) as never);
  });

  it('answer as each would alone, whatever waits for what in the database', async () => {
    const { caller } = scene;
    const environments = [await scene.environment(), await scene.environment()];
    const deployments = await Promise.all(environments.map((each) => scene.deploy(decisionId, each, 1)));
    const any = (list: readonly string[]): string => list[Math.floor(Math.random() * list.length)] ?? '';
    const doomed = (list: string[]): string =>
      list.length > 3 ? (list.shift() ?? '') : '01900000-0000-7000-8000-000000000000';
    const keep = (list: string[], answer: Answer): Answer => {
      if (answer.status === 201) list.push((answer.body as { id: string }).id);
      return answer;
    };
    const deployment = (environmentId: string): object => ({
      decisionId,
      environmentId,
      version: 1,
      name: 'd',
      deployedBy: 't',
    });
    const writes: [() => Promise<Answer>, number[]][] = [
      [async () => keep(environments, await caller.post('/logic/environments', { name: 'e' })), [201]],
      [
        async () => keep(deployments, await caller.post('/logic/deployments', deployment(any(environments)))),
        [201, 422],
      ],
      [() => caller.patch(`/logic/environments/${any(environments)}`, { name: 'x' }), [200, 404]],
      [
        () => caller.patch(`/logic/deployments/${any(deployments)}`, { environmentId: any(environments) }),
        [200, 404, 422],
      ],
      [() => caller.patch(`/logic/deployments/${any(deployments)}`, { name: 'x' }), [200, 404]],
      [() => caller.delete(`/logic/deployments/${doomed(deployments)}`), [204, 409]],
      [() => caller.delete(`/logic/environments/${doomed(environments)}`), [204, 409]],
      [
        () => caller.post(`/logic/${any(environments)}/decisions/${decisionId}/executions`, { fact: { n: 1 } }),
        [201, 404],
      ],
    ];
    const unexpected: string[] = [];
    const end = performance.now() + 4000;
    const loop = async (): Promise<void> => {
      while (performance.now() < end) {
        const [write, allowed] = writes[Math.floor(Math.random() * writes.length)]!;
        const answer = await write();
        if (!allowed.includes(answer.status)) unexpected.push(answer.text);
      }
    };
    await Promise.all(Array.from({ length: 16 }, loop));
    expect(unexpected).to.deep.equal([]);
  });

  it('a PATCH of a deployment waits for who moves it, and is not held the wrong way round', async () => {
    const { caller } = scene;
    const [from, to] = [await scene.environment(), await scene.environment()];
    const deployment = await scene.deploy(decisionId, from, 1);
    const database = testDatabase();
    const [mover, remover] = [await database.transaction(), await database.transaction()];
    try {
      await mover('deployments')
        .where('id', idToBytes(deployment))
        .update({ environment_id: idToBytes(to) });
      const patched = caller.patch(`/logic/deployments/${deployment}`, { name: 'renamed' });
      await statementsWait(database, /from `deployments` .* for update/);
      await mover.commit();
      // As a DELETE of the environment does: the environment first, its deployments then.
      await remover('environments').select('id').where('id', idToBytes(to)).forUpdate();
      await remover('deployments').select('id').where('id', idToBytes(deployment)).forUpdate();
      await remover.commit();
      expect(bodyOf(await patched)).to.include({ name: 'renamed', environmentId: to });
    } finally {
      for (const each of [mover, remover]) if (!each.isCompleted()) await each.rollback();
    }
  });
});
