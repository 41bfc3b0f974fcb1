import { expect } from 'chai';
import { useApp } from '../../support/app.js';
import { done } from '../../support/cli.js';
import { approval, dmn } from '../../support/dmn.js';
import { eventually } from '../../support/eventually.js';
import { intoThePast } from '../../support/measures.js';
import { between } from '../../support/models.js';
import { useScene } from '../../support/scene.js';

interface Counts {
  readonly count: number;
  readonly warnings: number;
}

describe('nulls of DMN models that executions tell', () => {
  const scene = useScene(useApp());

  it('are counted in measures as the records tell them, and a recount finds the same', async () => {
    const environmentId = await scene.environment();
    const dmnId = await scene.decision('approval.dmn', dmn(approval));
    // A node that is called as what tells warnings of DMN in a trace, in a record that keeps one since it failed.
    const content = { expressions: [{ id: 'e', key: 'fee', value: 'x / "a"' }] };
    const failing = between({ id: 'warnings', type: 'expressionNode', name: 'Fee', content });
    const jdmId = await scene.decision('failing.json', failing);
    for (const id of [dmnId, jdmId]) await scene.deploy(id, environmentId, 1);
    const path = (id: string): string => `/logic/${environmentId}/decisions/${id}`;
    const told: unknown[] = [];
    for (const age of [20, 'young', null]) {
      const { body } = await scene.caller.post(`${path(dmnId)}/executions`, {
        fact: { 'Applicant Age': age, Amount: 1 },
      });
      const { id } = body as { id: string };
      const read = await scene.caller.get(`/logic/executions/${id}`);
      told.push(...((read.body as { warnings?: unknown[] }).warnings ?? []));
    }
    expect(told.length, 'a text for a number is null, and no rule takes null').to.be.greaterThan(1);
    const items = [{ fact: { 'Applicant Age': 'young', Amount: 1 } }, { fact: { 'Applicant Age': 20, Amount: 1 } }];
    expect((await scene.caller.post(`${path(dmnId)}/batches`, { items })).status).to.equal(200);
    await scene.caller.post(`${path(jdmId)}/executions`, { fact: { x: 1 } });

    const from = new Date(Date.now() - 4 * 3_600_000).toISOString();
    const counted = async (id: string): Promise<Counts> => {
      const { body, text } = await scene.caller.get(`/logic/measures?decisionId=${id}&from=${from}`);
      const { data } = body as { data?: readonly Counts[] };
      if (data === undefined) throw new Error(text);
      const sum = (of: keyof Counts): number => data.reduce((total, one) => total + one[of], 0);
      return { count: sum('count'), warnings: sum('warnings') };
    };
    await eventually(async () => (await counted(dmnId)).count === 5 && (await counted(jdmId)).count === 1);
    const { warnings } = await counted(dmnId);
    expect(warnings).to.be.greaterThan(told.length);
    expect(await counted(jdmId)).to.deep.equal({ count: 1, warnings: 0 });

    await intoThePast(scene.workspaceId);
    await done('measures', 'recount', '--workspace', scene.workspaceId, '--from', from);
    expect(await counted(dmnId)).to.deep.equal({ count: 5, warnings });
    expect(await counted(jdmId)).to.deep.equal({ count: 1, warnings: 0 });
  });
});
