import type { Makers, Plan } from './plans.js';
import { otherState, type Named } from './reach.js';
import type { World } from './world.js';

const consents = [{ type: 'CONSENT', url: 'https://consent.example/1' }];

/** What an inquiry's id is named for, found in none but its own tenant. */
const ofInquiry = (rest: (world: World) => Named, code: 'inquiry_not_found' | 204 = 'inquiry_not_found'): Plan => {
  const named = (world: World): Named => {
    const { params, ...others } = rest(world);
    return { params: { inquiryId: world.inquiryId, ...params }, ...others };
  };
  return { own: named, reaches: (_mine, theirs) => [{ what: 'their inquiry', named: named(theirs), wanted: code }] };
};

const policyOf = (workspace: World, policy: World): Named => ({
  params: { id: workspace.workspaceId, policyId: policy.policyId },
});

/** The plans of the operations on a tenant's clients, workspaces, policies and inquiries. */
export const accessPlans = ({ byId, listing }: Makers): Readonly<Record<string, Plan>> => ({
  createInquiry: { own: () => ({ body: { personId: 'x', prerequisites: consents } }), reaches: () => [] },
  listInquiries: {
    own: () => ({}),
    reaches: (mine, theirs) => [
      ...listing('inquiries').reaches(mine, theirs),
      { what: 'their external id', named: { query: `?externalId=${theirs.mark}` }, wanted: 200 },
      { what: 'all that are not complete', named: { query: '?completed=false&size=5000' }, wanted: 200 },
    ],
  },
  getInquiry: ofInquiry(() => ({})),
  updateInquiry: ofInquiry(() => ({ body: { externalId: 'x' } })),
  setPrerequisite: ofInquiry(({ prerequisiteId }) => ({
    params: { prerequisiteId },
    body: { completed: false },
  })),
  completeInquiry: ofInquiry(() => ({ body: {} })),
  deleteInquiry: { ...ofInquiry(() => ({}), 204), own: ({ inquiryId }) => otherState({ inquiryId }) },

  listClients: listing('clients'),
  listPrincipals: listing('clients'),
  createClient: {
    own: () => ({ body: { name: 'x', scopes: ['pool:read'] } }),
    reaches: (_mine, { workspaceId }) => [
      {
        what: 'their workspace',
        named: { body: { name: 'x', scopes: ['pool:read'], workspaces: [workspaceId] } },
        wanted: 'exceeds_own_rights',
      },
    ],
  },
  getClient: byId(({ weakClientId }) => weakClientId, 'client_not_found'),
  updateClient: byId(({ weakClientId }) => weakClientId, 'client_not_found', { disabled: false }),
  deleteClient: {
    ...byId(({ weakClientId }) => weakClientId, 204),
    own: ({ weakClientId }) => otherState({ id: weakClientId }),
  },
  createClientSecret: byId(({ weakClientId }) => weakClientId, 'client_not_found'),

  listTenantWorkspaces: listing('workspaces'),
  createWorkspace: { own: () => ({ body: { name: 'x' } }), reaches: () => [] },
  getTenantWorkspace: byId(({ workspaceId }) => workspaceId, 'workspace_not_found'),
  updateWorkspace: byId(({ workspaceId }) => workspaceId, 'workspace_not_found', { name: 'x' }),
  listPolicies: byId(({ workspaceId }) => workspaceId, 'workspace_not_found'),
  createPolicy: byId(({ workspaceId }) => workspaceId, 'workspace_not_found', {
    effect: 'deny',
    subjects: ['nobody'],
    scopes: ['pool:read'],
  }),
  getPolicy: {
    own: (world) => policyOf(world, world),
    reaches: (mine, theirs) => [
      { what: 'their workspace', named: policyOf(theirs, theirs), wanted: 'workspace_not_found' },
      { what: 'their policy as of mine', named: policyOf(mine, theirs), wanted: 'policy_not_found' },
    ],
  },
  deletePolicy: {
    own: (world) => ({ ...policyOf(world, world), headers: { 'If-Match': '"0"' } }),
    reaches: (mine, theirs) => [
      { what: 'their workspace', named: policyOf(theirs, theirs), wanted: 'workspace_not_found' },
      { what: 'their policy as of mine', named: policyOf(mine, theirs), wanted: 204 },
    ],
  },
});
