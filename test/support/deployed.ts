import type { Knex } from 'knex';
import { deployments } from '../../src/deployments/deployments.store.js';
import { environments } from '../../src/environments/environments.store.js';
import { Problem } from '../../src/errors.js';
import { requireUnexecuted } from '../../src/deployments/executed.store.js';
import type { RunContext } from '../../src/runs/recorder/record.js';
import type { ExecutionRecord } from '../../src/runs/recorder/record.js';
import { inTransaction } from '../../src/storage/database.js';
import { newId } from '../../src/storage/ids.js';
import { buildWorkspace, type Store } from './factories.js';
import { doubling } from './models.js';
import { imported } from './scene.js';

/** What a record of an execution must name, straight in the database. */
export type Deployed = Pick<ExecutionRecord, 'workspaceId' | 'environmentId' | 'deploymentId' | 'decisionId'>;

/** An environment and a decision that is deployed there, in a workspace of their own unless one is given. */
export async function buildDeployed(store: Store, given?: string): Promise<Deployed> {
  const { database } = store;
  const workspaceId = given ?? (await buildWorkspace(store));
  const [{ id: decisionId }] = await imported(database, workspaceId, { 'recorded.json': doubling(2) });
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
