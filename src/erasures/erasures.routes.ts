import type { Knex } from 'knex';
import { actorOf } from '../api/actor.js';
import { logicRoute, type LogicRoute } from '../api/logicRoute.js';
import { appendAuditEntries } from '../audit/audit.store.js';
import { Problem } from '../errors.js';
import { broken } from '../http/body/violations.js';
import { inTransaction } from '../storage/database.js';
import { newId } from '../storage/ids.js';
import { CreateErasure, Erasure } from './erasures.schema.js';
import { countWaiting, insertErasure, type Erased } from './erasures.store.js';

interface Dependencies {
  readonly database: Knex;
  readonly erasures: {
    /** Has this process look for what is due. */
    wake(): void;
  };
}

/** Executions that wait at once to be erased for a tenant, so that its own erasures are done within minutes. */
const maxWaiting = 100_000;
/** Seconds, some of which the newest executions of an erasure wait. */
const retryAfter = 15;

/** What was recorded of executions is erased on demand. */
export const erasureRoutes = ({ database, erasures }: Dependencies): LogicRoute[] => [
  logicRoute({
    method: 'POST',
    path: '/logic/erasures',
    operationId: 'createErasure',
    tag: 'History',
    summary: 'Erase for good what was recorded of executions; proofs of all others hold',
    description:
      'Of all executions with a reference, or of those that are named: fact, result, error, trace, and what was kept of them ' +
      'elsewhere are gone within a minute. Their records stay, with `erased: true`.',
    scope: 'erasure:write',
    body: CreateErasure,
    replies: { 202: Erasure },
    problems: ['too_many_requests'],
    async handle(request) {
      const { workspaceId, body } = request;
      const erased = erasedOf(body);
      const actor = actorOf(request);
      const id = newId();
      await inTransaction(database, async (transaction) => {
        if ((await countWaiting(transaction, workspaceId)) >= maxWaiting) {
          const detail = `Erasures of ${maxWaiting} executions are under way for this tenant already; one of few counts for 100.`;
          throw new Problem('too_many_requests', detail, { retryAfter });
        }
        await insertErasure(transaction, { workspaceId, id }, { actor, erased });
        // The entry says who asked for the erasure, not of whom: a name would outlive what is erased.
        const resource = { type: 'erasure', id };
        const entry = { actor, workspaceId, action: 'erasure.create', resource, before: null, after: null };
        await appendAuditEntries(transaction, [entry]);
      });
      erasures.wake();
      return { status: 202, body: { id } };
    },
  }),
];

function erasedOf({ reference, executionIds }: CreateErasure): Erased {
  if (reference !== undefined && executionIds === undefined) return { reference };
  if (executionIds !== undefined && reference === undefined) return { executionIds };
  const message = 'must have either `reference` or `executionIds`';
  throw broken([{ in: 'body', pointer: '', message }]);
}
