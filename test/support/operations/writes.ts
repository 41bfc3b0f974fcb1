import { setPolicy } from '../../../src/access/workspaces.service.js';
import { protect, review } from '../changes.js';
import { buildClient, buildInquiry } from '../factories.js';
import { deciding, doubling } from '../models.js';
import { replayed } from '../replays.js';
import { testStore, type Scene } from '../scene.js';
import { asCsv, asXlsx, plainFile } from '../sheets.js';
import { writable } from '../writable.js';
import type { Named } from './reach.js';

/** What an operation writes, and how it is made to. */
export interface Write {
  /** Of the last audit entry that it appends. */
  readonly action: string;
  /** A request that succeeds once, in a workspace where all that it needs has been made for it. */
  readonly request: (scene: Scene) => Named | Promise<Named>;
}

const policy = { effect: 'allow', subjects: ['bob'], scopes: ['pool:read'] } as const;
const callback = { url: 'https://hooks.invalid/', kinds: ['version.saved'] };

const environmentOf = async (scene: Scene): Promise<string> => (await writable(scene).deployed()).environmentId;
const decisionOf = async (scene: Scene): Promise<string> => (await writable(scene).deployed()).decisionId;
const deploymentOf = async (scene: Scene): Promise<string> => (await writable(scene).deployed()).deploymentId;
const changing = (scene: Scene): ReturnType<ReturnType<typeof writable>['changing']> => writable(scene).changing();
const inquiryOf = async ({ tenantId }: Scene): Promise<string> => (await buildInquiry(testStore(), tenantId)).id;
const clientOf = async ({ tenantId }: Scene): Promise<string> =>
  (await buildClient(testStore(), { tenantId, scopes: 'pool:read', workspaces: [] })).id;
const variableOf = async (scene: Scene): Promise<Named> => {
  const id = await environmentOf(scene);
  await scene.variable(id, 'V', 1);
  return { params: { id, name: 'V' } };
};

/** The request names what `made` gives the id of, as `id` unless told. */
const on =
  (made: (scene: Scene) => Promise<string>, rest: Named = {}, name = 'id'): Write['request'] =>
  async (scene) => ({ ...rest, params: { [name]: await made(scene), ...rest.params } });
const posting =
  (body: object): Write['request'] =>
  () => ({ body });
/** The body names a deployed decision and its environment. */
const about =
  (body: object): Write['request'] =>
  async (scene) => {
    const { environmentId, decisionId } = await writable(scene).deployed();
    return { body: { environmentId, decisionId, ...body } };
  };
/** The id of what a request like it makes. */
const madeBy =
  (path: string, request: Write['request']) =>
  async (scene: Scene): Promise<string> => {
    const { body } = await request(scene);
    return ((await scene.caller.post(path, body)).body as { id: string }).id;
  };

const shadow: Write['request'] = async (scene) => ({ body: await writable(scene).shadow() });
const monitor = about({ name: 'x', measure: 'failed', window: '1h', condition: '> 0.1' });
const tests = [
  ['name', 'input.x'],
  ['a', '1'],
];

/** By operationId. An operation that writes and is not here fails the contract's rule of audit entries. */
export const writes: Readonly<Record<string, Write>> = {
  createEnvironment: { action: 'environment.create', request: posting({ name: 'x' }) },
  updateEnvironment: { action: 'environment.update', request: on(environmentOf, { body: { name: 'x' } }) },
  deleteEnvironment: { action: 'environment.delete', request: on(environmentOf) },
  setVariable: {
    action: 'variable.update',
    request: async (scene) => ({ ...(await variableOf(scene)), body: { value: 2 } }),
  },
  deleteVariable: { action: 'variable.delete', request: variableOf },
  setHosts: { action: 'hosts.update', request: on(environmentOf, { body: { hosts: ['a.example'] } }) },
  setRetention: { action: 'retention.update', request: on(environmentOf, { body: { days: 30 } }) },
  createErasure: { action: 'erasure.create', request: posting({ reference: 'order-4711' }) },
  createDeployment: { action: 'deployment.create', request: about({ name: 'x', deployedBy: 'x' }) },
  updateDeployment: { action: 'deployment.update', request: on(deploymentOf, { body: { name: 'x' } }) },
  deleteDeployment: { action: 'deployment.delete', request: on(deploymentOf) },
  setProtection: { action: 'protection.create', request: on(environmentOf, { body: { approvals: 1 } }) },
  deleteProtection: {
    action: 'protection.delete',
    async request(scene) {
      const id = await environmentOf(scene);
      await protect(scene.caller, id);
      return { params: { id } };
    },
  },
  createChangeRequest: {
    action: 'change_request.create',
    async request(scene) {
      const { environmentId } = await changing(scene);
      return { body: { environmentId, title: 'x', changes: [{ type: 'hosts', hosts: [] }] } };
    },
  },
  reviewChangeRequest: {
    action: 'change_request.approve',
    async request(scene) {
      const { id, digest } = await changing(scene);
      return { params: { id }, body: { verdict: 'approve', digest } };
    },
  },
  applyChangeRequest: {
    action: 'change_request.apply',
    async request(scene) {
      const made = await changing(scene);
      await review(scene.caller, made);
      return { params: { id: made.id }, body: {} };
    },
  },
  closeChangeRequest: { action: 'change_request.close', request: on(async (scene) => (await changing(scene)).id) },
  setCallback: { action: 'callback.create', request: posting(callback) },
  createCallbackSecret: {
    action: 'callback.rotate_secret',
    async request(scene) {
      await scene.caller.put('/logic/callback', callback);
      return {};
    },
  },
  deleteCallback: {
    action: 'callback.delete',
    async request(scene) {
      await scene.caller.put('/logic/callback', callback);
      return {};
    },
  },
  createReplay: { action: 'replay.create', request: about({ candidate: { version: 1 } }) },
  deleteReplay: {
    action: 'replay.delete',
    request: on(async (scene) => {
      const { body = {} } = await about({ candidate: { version: 1 } })(scene);
      return (await replayed(scene.caller, body)).id;
    }),
  },
  createShadow: { action: 'shadow.create', request: shadow },
  deleteShadow: { action: 'shadow.cancel', request: on(madeBy('/logic/shadows', shadow)) },
  putOutcomes: {
    action: 'outcomes.create',
    request: posting({ outcomes: [{ reference: 'r', name: 'fraud', value: true }] }),
  },
  createMonitor: { action: 'monitor.create', request: monitor },
  deleteMonitor: { action: 'monitor.delete', request: on(madeBy('/logic/monitors', monitor)) },
  setMeasured: { action: 'measured.update', request: on(decisionOf, { body: { pointers: ['/y'] } }) },
  createDecision: { action: 'decision.create', request: posting({ key: 'new.json', content: doubling(2) }) },
  updateDecision: { action: 'decision.update', request: on(decisionOf, { body: { content: doubling(3) } }) },
  deleteDecision: {
    action: 'decision.delete',
    request: on((scene) => scene.write('unused.json', doubling(2))),
  },
  createVersion: { action: 'version.create', request: on(decisionOf, { body: {} }) },
  importModels: {
    action: 'version.create',
    request: posting({ decisions: [{ key: 'a.json', content: doubling(2) }], save: true }),
  },
  importTable: {
    action: 'decision.update',
    request: on((scene) => scene.decision('table.json', deciding([])), {
      params: { nodeId: 'table' },
      body: Buffer.from('age,size,fee\n1,2,3\n'),
      headers: asCsv,
    }),
  },
  importTestsCsv: {
    action: 'decision.update',
    request: on(decisionOf, { body: Buffer.from('name,input.x\na,1\n'), headers: asCsv }),
  },
  importTestsSheet: {
    action: 'decision.update',
    request: on(decisionOf, { body: Buffer.from(plainFile(tests)), headers: asXlsx }),
  },
  setEvaluationHosts: { action: 'evaluation_hosts.update', request: posting({ hosts: ['a.example'] }) },
  createInquiry: { action: 'inquiry.create', request: posting({ personId: 'p' }) },
  updateInquiry: {
    action: 'inquiry.update',
    request: on(inquiryOf, { body: { externalId: 'x' } }, 'inquiryId'),
  },
  setPrerequisite: {
    action: 'inquiry.complete',
    async request({ tenantId }) {
      const prerequisites = [{ type: 'CONSENT', url: 'https://consent.example/1' }];
      const made = await buildInquiry(testStore(), tenantId, { prerequisites });
      const params = { inquiryId: made.id, prerequisiteId: made.prerequisites[0]!.id };
      return { params, body: { completed: true } };
    },
  },
  completeInquiry: { action: 'inquiry.complete', request: on(inquiryOf, { body: {} }, 'inquiryId') },
  deleteInquiry: { action: 'inquiry.delete', request: on(inquiryOf, {}, 'inquiryId') },
  createClient: { action: 'client.create', request: posting({ name: 'x', scopes: ['pool:read'] }) },
  updateClient: { action: 'client.update', request: on(clientOf, { body: { name: 'x' } }) },
  deleteClient: { action: 'client.delete', request: on(clientOf) },
  createClientSecret: { action: 'client.rotate_secret', request: on(clientOf) },
  createWorkspace: { action: 'client.grant', request: posting({ name: 'x' }) },
  updateWorkspace: {
    action: 'workspace.update',
    request: ({ workspaceId }) => ({ params: { id: workspaceId }, body: { name: 'x' } }),
  },
  createPolicy: {
    action: 'policy.create',
    request: ({ workspaceId }) => ({ params: { id: workspaceId }, body: policy }),
  },
  deletePolicy: {
    action: 'policy.delete',
    async request({ workspaceId }) {
      const fields = { ...policy, roles: [], scopes: ['pool:read'] };
      const { id } = await setPolicy(testStore(), { workspaceId }, fields);
      return { params: { id: workspaceId, policyId: id } };
    },
  },
};

/** They change nothing that is kept of a workspace or tenant: runs have records of their own. */
export const writeNothing: readonly string[] = [
  ...['evaluate', 'execute', 'executeBatch', 'callTools', 'testDecision', 'analyseModel', 'suggestTests'],
  ...['convertTable', 'validateModels', 'evaluateDraft', 'pingCallback'],
];
