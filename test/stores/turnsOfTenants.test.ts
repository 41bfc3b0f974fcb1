import { expect } from 'chai';
import { ByteBudget } from '../../src/admission/byteBudget.js';
import { Measures } from '../../src/measures/measures.js';
import { listRunningShadows, shadows } from '../../src/replays/shadows.store.js';
import type { LiveExecution } from '../../src/runs/liveExecution.js';
import { newId } from '../../src/storage/ids.js';
import { eventually } from '../support/eventually.js';
import { testContext } from '../support/deployed.js';
import { buildTenant, buildWorkspace, useStore } from '../support/factories.js';

const runOf = (workspaceId: string, decisionId: string): LiveExecution => ({
  ...{
    id: newId(),
    reference: null,
    workspaceId,
    environmentId: newId(),
    decisionId,
    deploymentId: newId(),
    version: 1,
  },
  ...{ status: 'COMPLETED', fact: '{}', result: '{}', engineUs: 10, createdAt: new Date() },
  context: testContext,
});

describe('what several tenants share', () => {
  const store = useStore();

  it('shadows are served of each tenant in turn, however long those of another run and in how many workspaces', async () => {
    await store.database('shadows').delete();
    const started = async (workspaceId: string, days: number): Promise<string> => {
      const expiresAt = new Date(Date.now() + days * 86_400_000);
      const fields = { request: '{}', report: '{}', expiresAt, endedAt: null };
      return (await shadows.insert(store.database, workspaceId, fields, { tallies: '' })).id;
    };
    const greedy = await buildTenant(store);
    for (let n = 0; n < 6; n++) {
      const workspaceId = await buildWorkspace(store, greedy);
      for (let each = 0; each < 3; each++) await started(workspaceId, 30);
    }
    const [one, other] = [await buildWorkspace(store), await buildWorkspace(store)];
    const short = [await started(one, 1), await started(one, 1), await started(other, 1)];
    const served = await listRunningShadows(store.database, 10);
    expect(served).to.have.length(10).and.to.include.members(short);
    expect(await listRunningShadows(store.database, 100)).to.have.length(21);
    await store.database('shadows').delete();
  });

  it('counters are given up where nothing new is counted, and one workspace leaves room for others', async () => {
    const warnings: { readonly executions?: number }[] = [];
    const budget = new ByteBudget(64 * 1024 * 1024);
    const log = { warn: (bindings: { readonly executions?: number }) => void warnings.push(bindings) };
    const measures = new Measures({ database: store.database, budget, log: log as never, pollMs: 20 });
    const [greedy, neighbour] = [await buildWorkspace(store), await buildWorkspace(store)];
    for (let n = 0; n < 3000; n++) measures.offer(runOf(greedy, newId()));
    const own = newId();
    for (let n = 0; n < 30; n++) measures.offer(runOf(neighbour, own));
    measures.start();
    await eventually(() => warnings.some((each) => 'executions' in each));
    const [{ executions } = { executions: 0 }] = warnings as { executions: number }[];
    // One alone may have a third of all.
    expect(executions).to.be.within(1800, 2200);
    // Once its first ones are written and idle, others take their place. A run that is not counted is told in the next round.
    let toldBefore = warnings.length;
    let counted = 0;
    await eventually(() => {
      counted = warnings.length === toldBefore ? counted + 1 : 0;
      toldBefore = warnings.length;
      measures.offer(runOf(greedy, newId()));
      return counted === 100;
    });
    await measures.stop();
    expect(warnings.length).to.equal(toldBefore);
    expect(budget.status().bytesInFlight).to.equal(0);
  });

  it('counters are shared by tenants: one with sixty workspaces leaves room for others', async () => {
    const greedy = await buildTenant(store);
    const many: string[] = [];
    for (let n = 0; n < 60; n++) many.push(await buildWorkspace(store, greedy));
    const neighbour = await buildWorkspace(store);
    /** Of so many counters of each, how many executions were not counted. */
    const uncounted = async (ofGreedy: number, ofNeighbour: number): Promise<number> => {
      const warnings: { readonly executions?: number }[] = [];
      const budget = new ByteBudget(64 * 1024 * 1024);
      const log = { warn: (bindings: { readonly executions?: number }) => void warnings.push(bindings) };
      const measures = new Measures({ database: store.database, budget, log: log as never, pollMs: 20 });
      for (const workspaceId of many) budget.owners.learn({ tenantId: greedy, workspaceId });
      for (let n = 0; n < ofGreedy; n++) measures.offer(runOf(many[n % many.length]!, newId()));
      for (let n = 0; n < ofNeighbour; n++) measures.offer(runOf(neighbour, newId()));
      measures.start();
      const told = () => warnings.find((each) => 'executions' in each);
      await eventually(() => told() !== undefined);
      await measures.stop();
      expect(budget.status().bytesInFlight).to.equal(0);
      return told()?.executions ?? 0;
    };
    const alone = await uncounted(6000, 0);
    expect(alone).to.be.within(4000, 5900);
    expect(await uncounted(6000, 300), 'all of the neighbour are counted').to.equal(alone);
  });
});
