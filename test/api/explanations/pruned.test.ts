import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { pruneKept } from '../../../src/runs/pruneKept.js';
import { idToBytes } from '../../../src/storage/ids.js';
import { useApp } from '../../support/app.js';
import { calling, expressing, type Model } from '../../support/models.js';
import { documentOf, testDatabase, useScene } from '../../support/scene.js';
import { bodyOf } from '../../support/asserts.js';

const day = 24 * 60 * 60 * 1000;

describe('what records name', () => {
  const app = useApp();
  const scene = useScene(app);
  let own: { readonly workspace_id: Buffer };
  before(() => {
    own = { workspace_id: idToBytes(scene.workspaceId) };
  });

  /** Adds so much to numbers; no other test has such contents. */
  const adding = (number: number): Model => expressing({ y: `x + ${number} + $env.V`, mark: `'${scene.workspaceId}'` });
  const hashOf = (model: Model): Buffer => createHash('sha256').update(documentOf(model).text).digest();
  const isStored = async (model: Model): Promise<boolean> =>
    (await testDatabase()('contents').where({ hash: hashOf(model) })).length === 1;
  const count = async (table: string): Promise<number> => (await testDatabase()(table).where(own)).length;
  const exactness = async (id: string): Promise<unknown> => {
    const { body } = await scene.caller.get(`/logic/executions/${id}/explanation`);
    const { exact, reasons } = body as { exact: boolean; reasons: unknown };
    return { exact, reasons };
  };

  it('is kept by a prune until the last of them is gone', async () => {
    const environmentId = await scene.environment();
    await scene.variable(environmentId, 'V', 1);
    const decisionId = await scene.decision('d.json', calling('sub.json'), { 'sub.json': adding(1) });
    await scene.deploy(decisionId, environmentId, 0);
    const execute = async (): Promise<string> => {
      await scene.settled();
      const path = `/logic/${environmentId}/decisions/${decisionId}/executions`;
      return (bodyOf(await scene.caller.post(path, { fact: { x: 1 } }), 201) as { id: string }).id;
    };
    // Saved by `decision`, version 1 pins the content that adds 1; what adds 2 is a working copy alone.
    await scene.write('sub.json', adding(2));
    const first = await execute();
    await scene.write('sub.json', adding(3));
    await scene.variable(environmentId, 'V', 2);
    const second = await execute();
    const exact = { exact: true, reasons: [] };

    await testDatabase()('contents')
      .whereIn('hash', [adding(1), adding(2), adding(3)].map(hashOf))
      .update({ created_at: new Date(Date.now() - 2 * day) });
    await pruneKept(testDatabase(), scene.workspaceId);
    expect([await exactness(first), await exactness(second)]).to.deep.equal([exact, exact]);
    expect([await count('kept_programs'), await count('variable_history')]).to.deep.equal([2, 1]);

    // As if the first had been run two days ago, and been pruned.
    const past = new Date(Date.now() - 2 * day);
    await testDatabase()('executions')
      .where({ id: idToBytes(first) })
      .delete();
    await testDatabase()('kept_programs').where(own).orderBy('used_at').limit(1).update({ used_at: past });
    await testDatabase()('variable_history').where(own).update({ replaced_at: past });
    await pruneKept(testDatabase(), undefined);
    expect([await count('kept_programs'), await count('variable_history')]).to.deep.equal([1, 0]);
    expect([await isStored(adding(1)), await isStored(adding(2)), await isStored(adding(3))]).to.deep.equal([
      true,
      false,
      true,
    ]);
    expect(await exactness(second)).to.deep.equal(exact);
    // What a prune took is written anew.
    await scene.write('sub.json', adding(2));
    expect(await isStored(adding(2))).to.equal(true);
  });
});
