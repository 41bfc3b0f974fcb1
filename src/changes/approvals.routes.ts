import type { Knex } from 'knex';
import Type, { type Static } from 'typebox';
import { actorOf } from '../api/actor.js';
import { IdParams, nullable } from '../api/fields.js';
import { logicRoute, type LogicRoute } from '../api/logicRoute.js';
import { findProtection } from '../protections/protections.store.js';
import { refOf } from '../resource/kinds.js';
import { approvalsOf, barOf, uncountedOf, type Approving } from './approvals.js';
import { approvingOf } from './approvingOf.js';
import { Review } from './changes.schema.js';
import { chargeRequests } from './chargeRequests.js';
import { requireRequest, type Reading, type StoredRequest } from './requests.store.js';

const counting = {
  counts: Type.Boolean(),
  reason: nullable(Type.String({ description: 'Why it does not count, for people' })),
};
const { principal, verdict, at } = Review.properties;

/** Whether reviews count, and whether that of who asks would. */
const ChangeApprovals = Type.Object(
  {
    given: Type.Integer({ minimum: 0, description: 'Approvals that count' }),
    required: {
      ...nullable(Type.Integer({ minimum: 0 })),
      description: 'As many are needed; null where the environment is not protected any more',
    },
    reviews: Type.Array(Type.Object({ principal, verdict, at, ...counting }, { title: 'CountedReview' })),
    own: Type.Object(counting, {
      title: 'OwnReview',
      description: 'Of a verdict that whoever asks might give now',
    }),
  },
  { title: 'ChangeApprovals' },
);
type ChangeApprovals = Static<typeof ChangeApprovals>;

/** What decides whether it is approved, as it stands. */
export const readApproving = async (database: Knex, stored: StoredRequest): Promise<Approving> =>
  approvingOf(database, stored, { protection: await findProtection(database, stored.head) });

/** Tells which reviews count before somebody gives one. */
export const approvalsRoute = (parts: Reading & { readonly database: Knex }): LogicRoute =>
  logicRoute({
    method: 'GET',
    path: '/logic/change-requests/{id}/approvals',
    operationId: 'getChangeApprovals',
    tag: 'Changes',
    summary: 'Get which reviews of a change request count, and whether your own would',
    scope: 'change:read',
    params: IdParams,
    replies: { 200: ChangeApprovals },
    problems: ['change_request_not_found', 'overloaded'],
    async handle(request) {
      const ref = refOf(request);
      await chargeRequests(parts.database, { ...ref, ids: [ref.id] }, request.reservation);
      const approving = await readApproving(parts.database, await requireRequest(parts, ref));
      const counted = (reason: string | undefined) => ({ counts: reason === undefined, reason: reason ?? null });
      const uncounted = uncountedOf(approving);
      const answer: ChangeApprovals = {
        given: approvalsOf(approving),
        required: approving.protection?.approvals ?? null,
        reviews: approving.reviews.map(({ principal, verdict, at }, index) => ({
          ...{ principal, verdict, at },
          ...counted(uncounted[index]),
        })),
        own: counted(barOf(approving, actorOf(request).principal.slice(0, 255))),
      };
      return { status: 200, body: JSON.stringify(answer) };
    },
  });
