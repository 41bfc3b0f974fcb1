import { deployments, type DeploymentFields } from '../../../src/deployments/deployments.store.js';
import { environments } from '../../../src/environments/environments.store.js';
import { buildWorkspace, type Store } from '../../support/factories.js';
import { doubling } from '../../support/models.js';
import { imported } from '../../support/scene.js';

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
  const [{ id: decisionId }] = await imported(database, workspaceId, { 'a.json': doubling(2) });
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
