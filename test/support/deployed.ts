import type { Knex } from 'knex';
import { importDecisions } from '../../src/decisions/writing/importDecisions.js';
import { deployments } from '../../src/deployments/deployments.store.js';
import { environments } from '../../src/environments/environments.store.js';
import { Problem } from '../../src/errors.js';
import { requireUnexecuted } from '../../src/deployments/executed.store.js';
import type { RunContext } from '../../src/runs/recorder/record.js';
import type { ExecutionRecord } from '../../src/runs/recorder/record.js';
import { inTransaction } from '../../src/storage/database.js';
import { newId } from '../../src/storage/ids.js';
import { buildWorkspace, testActor, type Store } from './factories.js';
import { doubling } from './models.js';
import { documentOf } from './scene.js';

/** What a record of an execution must name, straight in the database. */
export type Deployed = Pick<ExecutionRecord, 'workspaceId' | 'environmentId' | 'deploymentId' | 'decisionId'>;

/** A workspace with an environment and a decision that is deployed there. */
export async function buildDeployed(store: Store): Promise<Deployed> {
  const { database } = store;
  const workspaceId = await buildWorkspace(store);
  const candidates = [{ key: 'recorded.json', document: documentOf(doubling(2)) }];
  const outcome = await importDecisions(database, {
    workspaceId,
    actor: testActor,
    candidates,
    save: true,
    force: false,
  });
  if (outcome.kind !== 'done') throw new Error(JSON.stringify(outcome));
  const decisionId = outcome.decisions[0]!.id;
  const look = { name: 'Environment', description: null, color: '#123456' };
  const environment = await environments.insert(database, workspaceId, look);
  const deploymentId = await deployOnce(store, { workspaceId, environmentId: environment.id, decisionId });
  return { workspaceId, environmentId: environment.id, deploymentId, decisionId };
}

/** One more deployment of the same decision to the same environment; its id. */
export async function deployOnce(
  { database }: Store,
  { workspaceId, environmentId, decisionId }: Omit<Deployed, 'deploymentId'>,
): Promise<string> {
  const fields = { decisionId, environmentId, version: 1, name: 'Deployment', message: null, deployedBy: 'test' };
  return (await deployments.insert(database, workspaceId, fields)).id;
}

/** Removes the deployment as the service does; the code where that is refused. */
export const removeDeployed = (database: Knex, { workspaceId, deploymentId }: Deployed): Promise<string> =>
  inTransaction(database, async (transaction) => {
    const ref = { workspaceId, id: deploymentId };
    await deployments.find(transaction, ref, true);
    const named = { workspaceId, deploymentIds: [deploymentId] };
    await requireUnexecuted(transaction, 'deployment', named);
    await deployments.delete(transaction, ref);
  }).then(
    () => 'removed',
    (error: unknown) => {
      if (error instanceof Problem) return error.code;
      throw error;
    },
  );

/** Of a run that nobody repeats. */
export const testContext: RunContext = {
  programId: 'ab'.repeat(32),
  configurationRevision: 1,
  clock: Date.parse('2026-01-31T09:30:00.123Z'),
  seed: -7,
  factRedacted: false,
};

/** A record as a run leaves it. */
export function recordOf(deployed: Deployed, fields: Partial<ExecutionRecord> = {}): ExecutionRecord {
  return {
    ...deployed,
    id: newId(),
    version: 1,
    status: 'COMPLETED',
    fact: '{"x":1}',
    result: '{"y":2}',
    error: null,
    trace: null,
    reference: null,
    engineUs: 120,
    requestId: newId(),
    principal: 'client:test',
    createdAt: new Date(),
    context: testContext,
    ...fields,
  };
}
