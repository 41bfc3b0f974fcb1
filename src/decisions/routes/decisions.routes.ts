import { isUtf8 } from 'node:buffer';
import Type, { type Static } from 'typebox';
import { actorOf } from '../../api/actor.js';
import type { Violation } from '../../errors.js';
import { oneOf } from '../../api/fields.js';
import type { Reply, TextsReply } from '../../http/server/response.js';
import { logicRoute, type LogicRequest, type LogicRoute } from '../../api/logicRoute.js';
import { PageQuery, type CursorKind } from '../../api/paginate.js';
import { entityTag } from '../../api/preconditions.js';
import { List, listOf } from '../../resource/lists.js';
import { byId, ofWorkspace } from '../../resource/kinds.js';
import type { Page } from '../../storage/pages.js';
import type { RevisedResource } from '../../storage/resourceTable.js';
import { CreateDecision, Decision, ForceQuery, UpdateDecision, UpdateQuery } from './decisions.schema.js';
import { requireDecision } from '../decisions.store.js';
import type { DecisionEntry } from '../decisionIndex.js';
import {
  createDecision,
  deleteDecision,
  requireChangeable,
  updateDecision,
  type Change,
  type Editing,
} from '../writing/oneDecision.js';
import { findKeyViolations, normalKey } from '../keys.js';
import { countDecisions, listDecisionPage, type DecisionsRequest } from '../decisionLists.js';
import { searchDecisions, type SearchDependencies } from '../search.js';
import type { Programs } from '../programs/programs.js';
import { readModel, type ReadModel, writeProblems } from './readModel.js';
import { decisionDocument } from './representation.js';

const path = '/logic/decisions';

const decision = ofWorkspace({
  ...byId(path),
  name: 'Decision',
  tag: 'Decisions',
  schema: Decision,
  show: ({ resource }: RevisedResource<Decision>) => resource,
  tagOf: ({ revision }) => entityTag(revision),
  absent: 'decision_not_found',
});

/** A body with a model, of which a thread reads the content. */
const withModel = { findBodyViolations: findKeyViolations, openBody: true, modelBody: true } as const;

interface DecisionDependencies extends Editing, SearchDependencies {
  readonly programs: Pick<Programs, 'written'>;
}

/** The five operations on decisions and their working copies. */
export function decisionRoutes(editing: DecisionDependencies): LogicRoute[] {
  const { database, models, programs } = editing;
  return [
    decision.create(
      {
        summary: 'Create a decision with a working copy',
        scope: 'decision:write',
        query: ForceQuery,
        body: CreateDecision,
        ...withModel,
        problems: ['key_taken', ...writeProblems],
      },
      async (request) => {
        const { workspaceId, body, bodyText, query } = request;
        const key = normalKey(body.key);
        const model = await readModel(models, workspaceId, { bodyText, key });
        const draft = { key, ...model, force: query.force === 'true' };
        const made = await createDecision(editing, { ...request, actor: actorOf(request) }, draft);
        programs.written(workspaceId);
        return toResource(workspaceId, made);
      },
    ),
    listRoute(editing),
    decision.get({ summary: 'Get a decision', scope: 'decision:read' }, async ({ workspaceId, id }) =>
      toResource(workspaceId, await requireDecision(database, workspaceId, id)),
    ),
    decision.update(
      {
        summary: "Change a decision's key or working copy",
        scope: 'decision:update',
        query: UpdateQuery,
        body: UpdateDecision,
        ...withModel,
        problems: ['key_taken', 'decision_in_use', ...writeProblems],
      },
      async ({ actor, body, ref: { workspaceId, id } }, request) => {
        const key = body.key === undefined ? undefined : normalKey(body.key);
        const named = { id, key, ifMatch: request.header('If-Match') };
        const model = body.content === undefined ? undefined : await readChanged(editing, request, named);
        const { force } = request.query;
        const change = { ...named, model, force: force === 'true', keepsNames: force === 'false' };
        const changed = await updateDecision(editing, { ...request, actor }, change);
        programs.written(workspaceId);
        return toResource(workspaceId, changed);
      },
    ),
    decision.remove(
      {
        summary: 'Delete a decision with its versions, unless something needs it',
        scope: 'decision:delete',
        problems: ['decision_in_use', 'approval_required', 'overloaded'],
      },
      async ({ actor, ref: { workspaceId, id } }, request) => {
        await deleteDecision(editing, { ...request, actor }, { id, ifMatch: request.header('If-Match') });
        programs.written(workspaceId);
      },
    ),
  ];
}

/** Reads the model of a change on a thread, once nothing else speaks against the change. */
async function readChanged(
  editing: DecisionDependencies,
  { workspaceId, bodyText }: { readonly workspaceId: string; readonly bodyText: string },
  named: Pick<Change, 'id' | 'key' | 'ifMatch'>,
): Promise<ReadModel> {
  const before = await requireChangeable(editing, workspaceId, named);
  return readModel(editing.models, workspaceId, { bodyText, key: named.key ?? before.key });
}

const ListQuery = Type.Object(
  {
    ...PageQuery.properties,
    order: Type.Optional(
      oneOf(['asc', 'desc', 'key'], {
        default: 'asc',
        description:
          'Ascending ids (oldest first), descending ones, or `key`: ascending keys. With `key` or `prefix` the list is in ' +
          'the order of keys, ascending or descending. `after` and `before` follow the order',
      }),
    ),
    key: Type.Optional(Type.String({ description: 'Only the decision of that key' })),
    prefix: Type.Optional(Type.String({ description: 'Only decisions whose keys begin so' })),
    search: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description:
          'Only decisions that have this text in their key or in their working copy: in names of nodes, fields, cells, ' +
          'expressions, conditions and functions. Capital and small letters are the same',
      }),
    ),
  },
  { additionalProperties: false },
);
type ListQuery = Static<typeof ListQuery>;

function listRoute(dependencies: SearchDependencies): LogicRoute {
  return logicRoute({
    method: 'GET',
    path,
    operationId: 'listDecisions',
    tag: 'Decisions',
    summary: 'List decisions, also by key, by the beginning of keys or by a text that they have',
    scope: 'decisions:read',
    query: ListQuery,
    ...listById.declared,
    findQueryViolations: findListViolations,
    replyHeaders: ['X-Workspace-Revision'],
    problems: ['overloaded'],
    async handle(request) {
      const { workspaceId, query } = request;
      const { database } = dependencies;
      const search = query.search?.normalize('NFC');
      let seen: number | undefined;
      const read = async (wanted: DecisionsRequest): Promise<Page<DecisionEntry>> => {
        const { revision, ...found } =
          search === undefined
            ? await listDecisionPage(database, workspaceId, wanted)
            : await searchDecisions(dependencies, request, { search, request: wanted });
        seen ??= revision;
        return found;
      };
      const reply = await answerList(request, read);
      // Of a file nothing is read before it is sent.
      seen ??= Number((await countDecisions(database, workspaceId))?.page_revision ?? 0);
      return { ...reply, headers: { 'X-Workspace-Revision': String(seen) } };
    },
  });
}

type Filter = Readonly<Record<string, unknown>>;

const isByKey = ({ order, key, prefix }: Filter): boolean =>
  order === 'key' || key !== undefined || prefix !== undefined;

/** The cursors of lists in the order of keys. */
const byKey: CursorKind<string> = {
  fromBytes: (bytes) => (isUtf8(bytes) ? bytes.toString() : ''),
  isCursor: (key) => key !== '',
};

const listById = listOf(Decision);
const listByKey = new List(Decision, byKey);

const findListViolations = (query: Filter): Violation[] =>
  (isByKey(query) ? listByKey : listById).declared.findQueryViolations(query);

/** Answers in the order that the query asks for. */
function answerList(
  request: LogicRequest<unknown, ListQuery, unknown>,
  read: (wanted: DecisionsRequest) => Promise<Page<DecisionEntry>>,
): Promise<Reply | TextsReply> {
  const show = (entry: DecisionEntry): Decision => decisionDocument(request.workspaceId, entry);
  const { size, after, before, key, prefix, order } = request.query;
  const query = { size, after, before, order: order === 'desc' ? 'desc' : 'asc' } as const;
  const asked = { ...request, query };
  if (!isByKey(request.query)) return listById.answer(asked, (wanted) => read({ by: 'id', ...wanted }), show);
  const filter = { key: key?.normalize('NFC'), prefix: prefix?.normalize('NFC') };
  return listByKey.answer(asked, (wanted) => read({ by: 'key', ...filter, ...wanted }), show);
}

const toResource = (workspaceId: string, entry: DecisionEntry): RevisedResource<Decision> => ({
  resource: decisionDocument(workspaceId, entry),
  revision: entry.revision,
});
