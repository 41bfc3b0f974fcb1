import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { createModelWork } from '../../../workers/models/index.js';
import { defaultRunLimits } from '../../../workers/protocol.js';
import { sweepContents } from '../../../src/decisions/contents.store.js';
import { createFindDiagnostics, type FindDiagnostics } from '../../../src/decisions/writing/checkContents.js';
import { importDecisions } from '../../../src/decisions/writing/importDecisions.js';
import { writeLeaseOf } from '../../../src/decisions/decisions.store.js';
import { takeLease } from '../../../src/jobs/leases.store.js';
import { pruneKept } from '../../../src/runs/pruneKept.js';
import { idToBytes, newId } from '../../../src/storage/ids.js';
import { useApp } from '../../support/app.js';
import { bodyOf, expectProblem } from '../../support/asserts.js';
import { testActor } from '../../support/factories.js';
import { calling, doubling, type Model } from '../../support/models.js';
import { documentOf, testDatabase, useFreshScene } from '../../support/scene.js';

const mebibyte = 1024 * 1024;
const path = '/logic/decisions';

describe('decisions are written', () => {
  const app = useApp({ MAX_WORKSPACE_MODEL_BYTES: String(mebibyte) });
  const scene = useFreshScene(app);

  const made = async (key: string, content: Model, query = ''): Promise<string> =>
    (bodyOf(await scene.caller.post(path + query, { key, content }), 201) as { id: string }).id;
  const faultsOf = async (id: string): Promise<number> =>
    ((await scene.caller.get(`${path}/${id}`)).body as { faults: number }).faults;

  it('after it was looked whether they exist, are as they were read and have a free key: a model is read after that', async () => {
    const id = await made('one.json', doubling(2));
    await made('taken.json', doubling(2));
    // A list of nodes that is none cannot be stored at all.
    const broken = { content: { nodes: 'none', edges: [] } };
    const absent = await scene.caller.patch(`${path}/${newId()}`, broken);
    expect((absent.body as { code: string }).code).to.equal('decision_not_found');
    const old = await scene.caller.patch(`${path}/${id}`, broken, { 'If-Match': '"99"' });
    expect((old.body as { code: string }).code).to.equal('precondition_failed');
    const taken = await scene.caller.patch(`${path}/${id}`, { ...broken, key: 'taken.json' });
    expect((taken.body as { code: string }).code).to.equal('key_taken');
    const refused = (await scene.caller.patch(`${path}/${id}`, broken)).body as {
      code: string;
      faults: { key: string }[];
    };
    expect(refused.code).to.equal('model_has_faults');
    expect(refused.faults.map(({ key }) => key)).to.deep.equal(['one.json']);
  });

  describe('beside others of the workspace', () => {
    /** An import whose planning takes as long as `meanwhile`. */
    const importing = (
      meanwhile: () => Promise<unknown>,
    ): { done: ReturnType<typeof importDecisions>; plans: () => number } => {
      const find = createFindDiagnostics(createModelWork(defaultRunLimits));
      let plans = 0;
      const slow: FindDiagnostics = async (...given) => {
        plans++;
        await meanwhile();
        return find(...given);
      };
      const request = { workspaceId: scene.workspaceId, actor: testActor, save: true, force: false, find: slow };
      const candidates = [{ key: 'imported.json', document: documentOf(doubling(7)) }];
      return { done: importDecisions(testDatabase(), { ...request, candidates }), plans: () => plans };
    };

    it('with one more plan at most, however often others write: these wait for it', async () => {
      const id = await made('other.json', doubling(2));
      const others: Promise<{ status: number }>[] = [];
      const { done, plans } = importing(async () => {
        const write = scene.caller.patch(`${path}/${id}`, { content: doubling(others.length + 3) });
        others.push(write);
        // The second plan is made while nobody else may write, so that this never comes before it.
        await (others.length === 1 ? write : Promise.race([write, sleep(500)]));
      });
      expect((await done).kind).to.equal('done');
      expect(plans()).to.equal(2);
      expect((await Promise.all(others)).map(({ status }) => status)).to.deep.equal([200, 200]);
    });

    it('though one of them died while it alone might write', async () => {
      const id = await made('other.json', doubling(2));
      expect(await takeLease(testDatabase(), writeLeaseOf(scene.workspaceId), 1000)).to.be.an('object');
      const answer = await scene.caller.patch(`${path}/${id}`, { content: doubling(3) });
      expect(answer.status, answer.text).to.equal(200);
    });
  });

  it('with the faults of all who name a key, in whatever form', async () => {
    const names = {
      'shop/Kéy "1".json': ['shop/Ke\u0301y "1".json', './\u212Aéy "1"', '../shop/Kéy "1"', 'x/../Kéy "1".json'],
      'a_b%c.json': ['../a_b%c', 'a_b%c.json'],
    };
    for (const [key, forms] of Object.entries(names)) {
      const users = [];
      for (const [n, name] of forms.entries())
        users.push(await made(`shop/${key.length}${n}.json`, calling(name), '?force=true'));
      expect(await Promise.all(users.map(faultsOf))).to.deep.equal(forms.map(() => 1));
      const id = await made(key, doubling(2));
      expect(await Promise.all(users.map(faultsOf)), key).to.deep.equal(forms.map(() => 0));
      expectProblem(await scene.caller.delete(`${path}/${id}`), 'decision_in_use', { instance: `${path}/${id}` });
    }
  });

  describe('within the room of the workspace', () => {
    const padded = (n: number, bytes: number): Model => ({ ...doubling(n), pad: 'x'.repeat(bytes) });
    const stored = async (): Promise<{ kept: number; sum: number }> => {
      const id = idToBytes(scene.workspaceId);
      const [row] = (await testDatabase()('workspaces').select('model_bytes').where({ id })) as {
        model_bytes: number;
      }[];
      const [all] = (await testDatabase()('workspace_contents')
        .sum({ sum: 'bytes' })
        .where('workspace_id', id)) as unknown as { sum: string | null }[];
      return { kept: Number(row?.model_bytes), sum: Number(all?.sum) };
    };

    it('each content once; beyond it 422, and room again after a prune of what was deleted', async () => {
      const large = padded(1, 600_000);
      const id = await made('a.json', large);
      await made('same.json', large);
      const { kept, sum } = await stored();
      expect(kept).to.equal(sum).and.equal(documentOf(large).text.length);

      const refused = await scene.caller.post(path, { key: 'b.json', content: padded(2, 600_000) });
      expectProblem(refused, 'workspace_full', { instance: path });
      const imported = await scene.caller.post('/logic/imports', {
        decisions: [{ key: 'b.json', content: padded(3, 600_000) }],
      });
      expectProblem(imported, 'workspace_full', { instance: '/logic/imports' });
      const changed = await scene.caller.patch(`${path}/${id}`, { content: padded(4, 600_000) });
      expectProblem(changed, 'workspace_full', { instance: `${path}/${id}` });
      expect(await stored()).to.deep.equal({ kept, sum });
      const hash = Buffer.from(documentOf(padded(4, 600_000)).hash, 'hex');
      expect(await testDatabase()('contents').where({ hash })).to.deep.equal([]);

      await scene.caller.patch(`${path}/${id}`, { content: doubling(5) });
      await pruneKept(testDatabase(), scene.workspaceId);
      expect((await stored()).kept, 'another has it still').to.be.above(kept);
      const { body } = await scene.caller.get(`${path}?key=same.json`);
      const [same] = (body as { data: { id: string }[] }).data;
      expect((await scene.caller.delete(`${path}/${same!.id}`)).status).to.equal(204);
      await pruneKept(testDatabase(), scene.workspaceId);
      const left = documentOf(doubling(5)).text.length;
      expect(await stored()).to.deep.equal({ kept: left, sum: left });
      await made('b.json', padded(2, 600_000));
    });

    it('with what versions pin, of which nothing else is left', async () => {
      const rate = await made('rate.json', padded(1, 100_000));
      const user = await made('user.json', calling('rate.json'));
      for (let n = 2; n < 5; n++) {
        expect((await scene.caller.post(`${path}/${user}/versions`, {})).status).to.equal(201);
        expect((await scene.caller.patch(`${path}/${rate}`, { content: padded(n, 100_000) })).status).to.equal(200);
      }
      await pruneKept(testDatabase(), scene.workspaceId);
      await sweepContents(testDatabase());
      const { kept, sum } = await stored();
      expect(kept).to.equal(sum).and.above(400_000);
    });
  });

  it('unless the names of its sub-decisions alone are too much', async () => {
    const nodes = Array.from({ length: 300 }, (_, n) => ({
      id: `n${n}`,
      type: 'decisionNode',
      name: `N${n}`,
      content: { key: `${n}`.padEnd(500, 'x') },
    }));
    const answer = await scene.caller.post(`${path}?force=true`, { key: 'a.json', content: { nodes, edges: [] } });
    expectProblem(answer, 'model_too_large', { instance: path });
  });
});
