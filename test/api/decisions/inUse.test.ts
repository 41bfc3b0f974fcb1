import { expect } from 'chai';
import { importDecisions } from '../../../src/decisions/writing/importDecisions.js';
import { idToBytes } from '../../../src/storage/ids.js';
import { useApp } from '../../support/app.js';
import { bodyOf, expectProblem } from '../../support/asserts.js';
import { testActor } from '../../support/factories.js';
import type { Answer } from '../../support/http.js';
import { calling, doubling, type Model } from '../../support/models.js';
import { documentOf, testDatabase, useFreshScene } from '../../support/scene.js';
import { recordedRows } from '../../support/records.js';

const path = '/logic/decisions';

describe('DELETE of a decision that is in use', () => {
  const app = useApp();
  const scene = useFreshScene(app);

  const made = async (key: string, content: Model): Promise<string> =>
    (bodyOf(await scene.caller.post(path, { key, content }), 201) as { id: string }).id;
  const remove = (id: string): Promise<Answer> => scene.caller.delete(`${path}/${id}`);
  const kept = async (id: string, detail?: string): Promise<void> => {
    expectProblem(await remove(id), 'decision_in_use', {
      instance: `${path}/${id}`,
      ...(detail === undefined ? {} : { detail }),
    });
    expect((await scene.caller.get(`${path}/${id}`)).status).to.equal(200);
  };
  const gone = async (id: string): Promise<void> => {
    const answer = await remove(id);
    expect(answer.status, answer.text).to.equal(204);
  };

  it('by the working copies of others is 409 and names them, but not by itself', async () => {
    const rates = await made('shop/rates.json', doubling(2));
    const user = await made('shop/user.json', calling('./rates.json'));
    await kept(rates, 'The working copies of "shop/user.json" name this decision.');
    for (const name of ['./rates', '/shop/rates']) {
      await scene.caller.patch(`${path}/${user}`, { content: calling(name) });
      await kept(rates, 'The working copies of "shop/user.json" name this decision.');
    }
    await scene.caller.patch(`${path}/${user}`, { content: calling(rates) });
    await kept(rates);
    await scene.caller.patch(`${path}/${user}`, { content: calling('user.json') });
    await gone(rates);
    await gone(user);
  });

  it('by a saved version of another is 409, though its working copy no longer names it', async () => {
    const rates = await made('rates.json', doubling(2));
    const between = await made('between.json', calling('rates.json'));
    const user = await made('user.json', calling('between.json'));
    await scene.caller.post(`${path}/${user}/versions`, {});
    await scene.caller.patch(`${path}/${user}`, { content: doubling(3) });
    await kept(between);
    await scene.caller.patch(`${path}/${between}`, { content: doubling(3) });
    for (const id of [between, rates]) await kept(id);
    for (const id of [user, between, rates]) await gone(id);
  });

  it('by a deployment is 409, also by one that was moved to another decision and still routes to it', async () => {
    const [id, other] = [await made('a.json', doubling(2)), await made('b.json', doubling(3))];
    const environmentId = await scene.environment();
    const deploymentId = await scene.deploy(id, environmentId);
    await kept(id);
    await scene.caller.patch(`/logic/deployments/${deploymentId}`, { decisionId: other });
    for (const one of [id, other]) await kept(one);
    expect((await scene.caller.delete(`/logic/deployments/${deploymentId}`)).status).to.equal(204);
    for (const one of [id, other]) await gone(one);
  });

  it('by a recorded execution is 409 as long as the record is there', async () => {
    const [id, other] = [await made('a.json', doubling(2)), await made('b.json', doubling(3))];
    const environmentId = await scene.environment();
    const deploymentId = await scene.deploy(id, environmentId);
    const run = await scene.caller.post(`/logic/${environmentId}/decisions/${id}/executions`, { fact: { x: 1 } });
    expect(run.status, run.text).to.equal(201);
    await scene.caller.patch(`/logic/deployments/${deploymentId}`, { decisionId: other });
    expect((await scene.caller.delete(`/logic/deployments/${deploymentId}`)).status).to.equal(409);
    await kept(id);
    await testDatabase()('executions').where('workspace_id', idToBytes(scene.workspaceId)).delete();
    expect((await scene.caller.delete(`/logic/deployments/${deploymentId}`)).status).to.equal(204);
    await gone(id);
  });

  describe('by what comes at the same time: one of the two wins, and nothing names what is gone', () => {
    const rounds = 8;

    async function race(
      other: (id: string, key: string) => Promise<Answer>,
      refusals: readonly number[],
    ): Promise<void> {
      const endings = new Set<string>();
      for (let round = 0; round < rounds; round++) {
        const key = `race-${round}.json`;
        const id = await made(key, doubling(2));
        // Now one first, now the other.
        const [removed, done] = await Promise.all(
          round % 2 === 0 ? [remove(id), other(id, key)] : [other(id, key), remove(id)].reverse(),
        );
        const there = (await scene.caller.get(`${path}/${id}`)).status === 200;
        const seen = `${removed!.status} ${done!.status}`;
        endings.add(seen);
        if (there) expect([removed!.status, done!.status], seen).to.deep.equal([409, 201]);
        else {
          expect(removed!.status, seen).to.equal(204);
          expect(refusals, seen).to.include(done!.status);
        }
      }
      expect([...endings].every((ending) => ending === '409 201' || ending.startsWith('204 '))).to.equal(true);
    }

    it('a deployment', async () => {
      const environmentId = await scene.environment();
      await race(
        (decisionId) =>
          scene.caller.post('/logic/deployments', { decisionId, environmentId, name: 'D', deployedBy: 'me' }),
        [422],
      );
    });

    it('a decision that names it', async () => {
      await race((_id, key) => scene.caller.post(path, { key: `user-of-${key}`, content: calling(key) }), [422]);
    });

    it('a version of a decision that names it', async () => {
      // The user's working copy is then freed of it, so that only the version holds it.
      await race(
        async (_id, key) => {
          const user = await scene.caller.post(path, { key: `user-of-${key}`, content: calling(key) });
          if (user.status !== 201) return user;
          const { id } = user.body as { id: string };
          const version = await scene.caller.post(`${path}/${id}/versions`, {});
          await scene.caller.patch(`${path}/${id}`, { content: doubling(1) });
          return version;
        },
        [422, 409],
      );
    });

    it('an import that names it', async () => {
      await race(
        async (_id, key) => {
          const candidates = [{ key: `user-of-${key}`, document: documentOf(calling(key)) }];
          const request = { workspaceId: scene.workspaceId, actor: testActor, candidates, save: true, force: false };
          const { kind } = await importDecisions(testDatabase(), request);
          return { status: kind === 'done' ? 201 : 422, headers: {}, text: kind, body: undefined };
        },
        [422],
      );
    });

    it('an execution, whose deployment is removed as well', async () => {
      const environmentId = await scene.environment();
      for (let round = 0; round < rounds; round++) {
        const id = await made(`run-${round}.json`, doubling(2));
        const deploymentId = await scene.deploy(id, environmentId);
        const run = `/logic/${environmentId}/decisions/${id}/executions`;
        const [executed, undeployed, removed] = await Promise.all([
          scene.caller.post(run, { fact: { x: 1 } }),
          scene.caller.delete(`/logic/deployments/${deploymentId}`),
          remove(id),
        ]);
        const seen = [executed, undeployed, removed].map(({ status }) => status).join(' ');
        const records = (await recordedRows(testDatabase()).where('decision_id', idToBytes(id))) as unknown[];
        const there = (await scene.caller.get(`${path}/${id}`)).status === 200;
        expect(records.length, seen).to.equal(executed.status === 201 ? 1 : 0);
        if (records.length > 0) expect(there, seen).to.equal(true);
        expect(removed.status, seen).to.equal(there ? 409 : 204);
      }
    });
  });
});
