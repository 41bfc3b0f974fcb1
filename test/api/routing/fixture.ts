import { importDecisions } from '../../../src/decisions/writing/importDecisions.js';
import { deployments, type DeploymentFields } from '../../../src/deployments/deployments.store.js';
import { environments } from '../../../src/environments/environments.store.js';
import { buildWorkspace, testActor, type Store } from '../../support/factories.js';
import { doubling } from '../../support/models.js';
import { documentOf } from '../../support/scene.js';

/** A workspace with what routing is about, made in the database without a server. */
export interface RoutingFixture {
  readonly workspaceId: string;
  /** Two, in the order of their ids. */
  readonly environments: readonly [string, string];
  /** With one saved version. */
  readonly decisionId: string;
  /** Writes a deployment's row, and no routing. */
  deployment(fields: Partial<DeploymentFields>): Promise<string>;
}

export async function buildFixture(store: Store): Promise<RoutingFixture> {
  const { database } = store;
  const workspaceId = await buildWorkspace(store);
  const environment = async (): Promise<string> =>
    (await environments.insert(database, workspaceId, { name: 'E', description: null, color: '#fff' })).id;
  const two: [string, string] = [await environment(), await environment()];
  const candidates = [{ key: 'a.json', document: documentOf(doubling(2)) }];
  const outcome = await importDecisions(database, {
    workspaceId,
    actor: testActor,
    candidates,
    save: true,
    force: false,
  });
  if (outcome.kind !== 'done') throw new Error(JSON.stringify(outcome));
  const decisionId = outcome.decisions[0]!.id;
  return {
    workspaceId,
    environments: two,
    decisionId,
    async deployment(fields) {
      const usual = {
        decisionId,
        version: 1,
        environmentId: two[0],
        name: 'D',
        message: null,
        deployedBy: 'me',
      };
      return (await deployments.insert(database, workspaceId, { ...usual, ...fields })).id;
    },
  };
}
