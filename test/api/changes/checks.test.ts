import { expect } from 'chai';
import type { ChangeRequest } from '../../../src/changes/changes.schema.js';
import { useApp } from '../../support/app.js';
import { bodyOf, expectProblem } from '../../support/asserts.js';
import { apply, ask, checked, protect, requestsPath, reread, review } from '../../support/changes.js';
import { calling, deciding, doubling, expressing, type Model } from '../../support/models.js';
import { useFreshScene } from '../../support/scene.js';

/** Two rows, one of which a test reaches. @param limit of the second row; above 18 there is a gap between them */
const fees = (limit: number, expected = 1): Model => ({
  ...deciding([
    { _id: 'young', age: '< 18', size: '', fee: '1' },
    { _id: 'old', age: `>= ${limit}`, size: '', fee: '2' },
  ]),
  tests: [{ name: 'young', input: { age: 3 }, output: { fee: expected } }],
});

describe('the checks of a change request', () => {
  const app = useApp();
  const scene = useFreshScene(app);
  let environmentId: string;
  beforeEach(async () => {
    environmentId = await scene.environment();
  });

  const requiring = (requires: object): Promise<void> =>
    protect(scene.caller, environmentId, { requires, authorMayApprove: true });
  const asked = async (model: Model): Promise<ChangeRequest> => {
    const decisionId = await scene.decision('fees.json', model);
    const made = await ask(scene.caller, environmentId, [{ type: 'deploy', decisionId, version: 1 }]);
    return checked(scene.caller, made);
  };
  interface Reports {
    readonly reports: readonly { readonly name: string; readonly version: number; readonly report: unknown }[];
  }
  const reportsOf = async ({ id }: ChangeRequest): Promise<Reports['reports']> =>
    (bodyOf(await scene.caller.get(`${requestsPath}/${id}/reports`)) as Reports).reports;

  it('pass where the model does what its protection asks for, and their reports can be read', async () => {
    await requiring({ tests: true, analysis: true, coverage: 0.5 });
    const made = await asked(fees(18));
    expect(made.checks).to.deep.equal([
      { name: 'tests', state: 'PASSED', detail: 'fees.json, version 1: 1 of 1 tests passed.' },
      { name: 'analysis', state: 'PASSED', detail: 'fees.json, version 1: nothing of the kind is proved.' },
      {
        name: 'coverage',
        state: 'PASSED',
        detail: 'fees.json, version 1: tests reach 1 of 2 rows and statements (50 %; 50 % wanted).',
      },
    ]);
    const reports = await reportsOf(made);
    expect(reports.map(({ name, version }) => [name, version])).to.deep.equal([
      ['tests', 1],
      ['analysis', 1],
      ['coverage', 1],
    ]);
    expect(reports[0]?.report).to.include({ passed: 1, failed: 0 });
    expect(reports[1]?.report).to.have.nested.property('reach.reachable', 2);
    await review(scene.caller, made);
    expect((await apply(scene.caller, made)).body).to.include({ state: 'APPLIED' });
  });

  it('fail where it does not, and nothing is applied that was only approved', async () => {
    await requiring({ tests: true, analysis: true, coverage: 0.9 });
    const made = await asked(fees(21, 2));
    expect(made.checks).to.deep.equal([
      { name: 'tests', state: 'FAILED', detail: 'fees.json, version 1: 0 of 1 tests passed.' },
      { name: 'analysis', state: 'FAILED', detail: 'fees.json, version 1: proved: gap in "Table".' },
      {
        name: 'coverage',
        state: 'FAILED',
        detail: 'fees.json, version 1: tests reach 1 of 2 rows and statements (50 %; 90 % wanted).',
      },
    ]);
    expect((await review(scene.caller, made)).body).to.include({ state: 'APPROVED' });
    expectProblem(await apply(scene.caller, made), 'approval_required', {
      instance: `${requestsPath}/${made.id}/apply`,
      detail: 'The change request cannot be applied yet: tests: FAILED; analysis: FAILED; coverage: FAILED.',
    });
  });

  it('say that tests reach nothing of the decisions that a model runs, which need tests of their own', async () => {
    await requiring({ coverage: 0.9 });
    await scene.decision('rates.json', doubling(2));
    const model = { ...calling('./rates.json'), tests: [{ name: 'one', input: { x: 1 }, output: { y: 2 } }] };
    expect((await asked(model)).checks).to.deep.equal([
      {
        name: 'coverage',
        state: 'PASSED',
        detail:
          'fees.json, version 1: tests reach 0 of 0 rows and statements (100 %; 90 % wanted). Those of the decision that it runs (./rates) are not counted: it needs tests of its own.',
      },
    ]);
  });

  it('say where there is no test that could have passed', async () => {
    await requiring({ tests: true });
    expect((await asked(doubling(2))).checks).to.deep.equal([
      { name: 'tests', state: 'PASSED', detail: 'fees.json, version 1: the model has no tests.' },
    ]);
  });

  it('replay what was executed there, within a bound', async () => {
    const { decisionId } = await scene.deployed('double.json', doubling(2), environmentId);
    for (const x of [1, 2, 3, 0]) {
      await scene.caller.post(`/logic/${environmentId}/decisions/${decisionId}/executions`, { fact: { x } });
    }
    await scene.caller.patch(`/logic/decisions/${decisionId}`, { content: doubling(3) });
    await scene.caller.post(`/logic/decisions/${decisionId}/versions`, {});
    await requiring({ replay: 'changed <= 75%' });
    const changes = [{ type: 'deploy', decisionId, version: 2 }];
    const made = await checked(scene.caller, await ask(scene.caller, environmentId, changes));
    const [check] = made.checks;
    expect(check).to.deep.equal({
      name: 'replay',
      state: 'PASSED',
      detail: 'double.json, version 2: of 4 recorded executions 3 change (wanted: changed <= 75%).',
      replayId: check?.replayId,
    });
    const replay = await scene.caller.get(`/logic/replays/${check?.replayId}`);
    expect(replay.body).to.have.nested.property('report.changed', 3);
    // The report stays as long as the request does.
    expect((await scene.caller.delete(`/logic/replays/${check?.replayId}`)).status).to.equal(204);
    expect((await reportsOf(made))[0]?.report).to.include({ replayed: 4, changed: 3 });
    await requiring({ replay: 'changed <= 70%' });
    const again = await checked(scene.caller, made);
    expect(again.checks.map(({ state }) => state)).to.deep.equal(['FAILED']);
  });

  it('fail where a version keeps from being compared what would come out otherwise', async () => {
    const decisionId = await scene.decision('hidden.json', doubling(2));
    await scene.variable(environmentId, 'TOKEN', 'a long secret', true);
    await scene.deploy(decisionId, environmentId, 1);
    for (const x of [1, 1, 2]) {
      await scene.caller.post(`/logic/${environmentId}/decisions/${decisionId}/executions`, { fact: { x } });
    }
    await scene.decision('hidden.json', expressing({ y: 'x > 1 ? ($env.TOKEN == "" ? 0 : x * 3) : x * 2' }));
    await requiring({ replay: 'changed <= 0.5%' });
    const changes = [{ type: 'deploy', decisionId, version: 2 }];
    const made = await checked(scene.caller, await ask(scene.caller, environmentId, changes));
    expect(made.checks.map(({ state, detail }) => [state, detail])).to.deep.equal([
      [
        'FAILED',
        'hidden.json, version 2: of 2 recorded executions 0 change (wanted: changed <= 0.5%); skipped were secret: 1.',
      ],
    ]);
  });

  it('follow the protection: what it asks for no more is gone, what it asks for now is run', async () => {
    await requiring({ tests: true });
    const made = await asked(fees(18));
    await requiring({ tests: true, analysis: true });
    const more = await checked(scene.caller, made);
    expect(more.checks.map(({ name, state }) => `${name} ${state}`)).to.deep.equal(['tests PASSED', 'analysis PASSED']);
    await requiring({});
    expect((await reread(scene.caller, made)).checks).to.deep.equal([]);
  });
});
