import type { ChangeRequest } from '../../src/changes/changes.schema.js';
import { ask, protect } from './changes.js';
import { buildClient, buildInquiry } from './factories.js';
import { pathOf } from './inquiries.js';
import { doubling } from './models.js';
import { testStore, type Place, type Scene } from './scene.js';

/** Makes what an operation needs that writes: each call another one. */
export function writable(scene: Scene) {
  const deployed = (): Promise<Place> => scene.deployed('d.json', doubling(2));
  const variable = async (): Promise<string> => {
    const { environmentId } = await deployed();
    await scene.variable(environmentId, 'V', 1);
    return `/logic/environments/${environmentId}/variables/V`;
  };

  const changing = async (): Promise<ChangeRequest> => {
    const { environmentId, decisionId } = await deployed();
    await protect(scene.caller, environmentId, { authorMayApprove: true });
    return ask(scene.caller, environmentId, [{ type: 'deploy', decisionId, version: 1 }]);
  };
  const shadow = async (): Promise<object> => {
    const { environmentId, decisionId } = await deployed();
    const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
    return { environmentId, decisionId, version: 1, sample: 1, expiresAt };
  };

  const inquiry = async (): Promise<string> => pathOf((await buildInquiry(testStore(), scene.tenantId)).id);
  const other = async (): Promise<string> =>
    `/core/v1/clients/${(await buildClient(testStore(), { tenantId: scene.tenantId, scopes: 'pool:read', workspaces: [] })).id}`;
  return { deployed, variable, changing, shadow, inquiry, other };
}
