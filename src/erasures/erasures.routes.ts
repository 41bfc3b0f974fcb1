import type { Knex } from 'knex';
import { actorOf } from '../api/actor.js';
import type { LogicRequest, LogicRoute } from '../api/logicRoute.js';
import { appendAuditEntries } from '../audit/audit.store.js';
import { Problem, type Violation } from '../errors.js';
import { byContent } from '../resource/answers.js';
import { byId, ofWorkspace } from '../resource/kinds.js';
import type { PollLoop } from '../clock/pollLoop.js';
import { inTransaction } from '../storage/database.js';
import { newId } from '../storage/ids.js';
import { namesIn } from '../workspaces/names.store.js';
import { CreateErasure, Erasure } from './erasures.schema.js';
import { countWaiting, erasures, insertErasure } from './erasures.store.js';

interface Dependencies {
  readonly database: Knex;
  /** Has a new erasure begin at once. */
  readonly jobs: Pick<PollLoop, 'wake'>;
}

/** Executions that wait at once to be erased for a tenant, so that its own erasures are done within minutes. */
const maxWaiting = 100_000;
/** Seconds, some of which the newest executions of an erasure wait. */
const retryAfter = 15;

const shown = ({ id, workspaceId, ...rest }: Omit<Erasure, 'status'>): Erasure => ({
  id,
  workspaceId,
  status: rest.completedAt === null ? 'RUNNING' : 'COMPLETED',
  ...rest,
});

const erasure = ofWorkspace({
  ...byId('/logic/erasures'),
  ...byContent(shown),
  name: 'Erasure',
  tag: 'History',
  schema: Erasure,
  absent: 'erasure_not_found',
});

/** What was recorded of executions is erased on demand. */
export const erasureRoutes = ({ database, jobs }: Dependencies): LogicRoute[] => [
  erasure.create(
    {
      summary: 'Erase for good what was recorded of executions; proofs of all others hold',
      description:
        'Of all executions with a reference, or of those that are named: fact, result, error, trace, and what was kept of them ' +
        'elsewhere are gone within a minute. Their records stay, with `erased: true`.',
      scope: 'erasure:write',
      body: CreateErasure,
      findBodyViolations: findErasedViolations,
      status: 202,
      located: ({ id }) => id,
      problems: ['too_many_requests'],
    },
    async (request) => {
      const made = await createErasure(database, request);
      jobs.wake();
      return made;
    },
  ),
  erasure.list(
    {
      summary: 'List erasures, those that are done too: never of whom',
      scope: 'erasure:read',
      namesOf: ({ workspaceId }) => namesIn(database, workspaceId),
    },
    (request, page) => erasures.list(database, request.workspaceId, page),
  ),
  erasure.get(
    {
      summary: 'Get how far an erasure is, and when it was done: a receipt, which never says of whom',
      scope: 'erasure:read',
    },
    (ref) => erasures.require(database, ref),
  ),
];

async function createErasure(
  database: Knex,
  request: Pick<LogicRequest<unknown, unknown, CreateErasure>, 'workspaceId' | 'body' | 'principal' | 'requestId'>,
): Promise<Omit<Erasure, 'status'>> {
  const { workspaceId, body } = request;
  const { reference = null, executionIds = [] } = body;
  const actor = actorOf(request);
  const ref = { workspaceId, id: newId() };
  return inTransaction(database, async (transaction) => {
    if ((await countWaiting(transaction, workspaceId)) >= maxWaiting) {
      const detail = `Erasures of ${maxWaiting} executions are under way for this tenant already; one of few counts for 100.`;
      throw new Problem('too_many_requests', detail, { retryAfter });
    }
    await insertErasure(transaction, ref, { actor, reference, executionIds });
    // The entry says who asked for the erasure, not of whom: a name would outlive what is erased.
    const resource = { type: 'erasure', id: ref.id } as const;
    const entry = { actor, workspaceId, action: 'erasure.create', resource, before: null, after: null } as const;
    await appendAuditEntries(transaction, [entry]);
    return erasures.require(transaction, ref);
  });
}

const findErasedViolations = ({ reference, executionIds }: Readonly<Record<string, unknown>>): readonly Violation[] =>
  (reference === undefined) === (executionIds === undefined)
    ? [{ in: 'body', pointer: '', message: 'must have either `reference` or `executionIds`' }]
    : [];
