import { otherState } from './reach.js';
import type { Makers, Plan } from './plans.js';
import type { World } from './world.js';

const protectedOf = ({ protectedEnvironmentId }: World): string => protectedEnvironmentId;
const requestOf = ({ changeRequestId }: World): string => changeRequestId;
/** The protection that the world has already, so that its request stays as it was reviewed. */
const protection = { approvals: 1 };

const asking = (environment: World, decision: World): object => ({
  environmentId: environment.protectedEnvironmentId,
  title: 'x',
  changes: [{ type: 'deploy', decisionId: decision.decisionId, version: 1 }],
});
const commenting = ({ changeDigest }: World): object => ({ verdict: 'comment', digest: changeDigest });

/** The plans of the operations on protections and change requests. */
export const changePlans = ({ byId, listing, referring }: Makers): Readonly<Record<string, Plan>> => ({
  listProtections: listing('protections'),
  getProtection: byId(protectedOf, 'environment_not_found'),
  setProtection: byId(protectedOf, 'environment_not_found', protection),
  deleteProtection: { ...byId(protectedOf, 204), own: (world) => otherState({ id: protectedOf(world) }) },
  getCallback: { own: () => ({}), reaches: () => [] },
  setCallback: { own: ({ callback }) => ({ body: callback }), reaches: () => [] },
  createCallbackSecret: { own: () => ({}), reaches: () => [] },
  pingCallback: { own: () => ({}), reaches: () => [] },
  deleteCallback: { own: () => ({ headers: { 'If-Match': '"0"' } }), reaches: () => [] },
  createChangeRequest: referring(asking),
  listChangeRequests: {
    own: () => ({}),
    reaches: (mine, theirs) => [
      ...listing('changeRequests').reaches(mine, theirs),
      ...[
        `?environmentId=${theirs.protectedEnvironmentId}`,
        `?decisionId=${theirs.decisionId}`,
        `?author=client:${theirs.client.id}`,
      ].map((query) => ({ what: `theirs by ${query}`, named: { query }, wanted: 200 as const })),
    ],
  },
  getChangeRequest: byId(requestOf, 'change_request_not_found'),
  getChangeApprovals: byId(requestOf, 'change_request_not_found'),
  getChangeReports: byId(requestOf, 'change_request_not_found'),
  reviewChangeRequest: {
    own: (world) => ({ params: { id: requestOf(world) }, body: commenting(world) }),
    reaches: (_mine, theirs) => [
      {
        what: 'their request',
        named: { params: { id: requestOf(theirs) }, body: { ...commenting(theirs), verdict: 'approve' } },
        wanted: 'change_request_not_found',
      },
    ],
  },
  // Nobody has approved it.
  applyChangeRequest: byId(requestOf, 'change_request_not_found', {}),
  closeChangeRequest: {
    ...byId(requestOf, 'change_request_not_found'),
    own: (world) => otherState({ id: requestOf(world) }),
  },
});
