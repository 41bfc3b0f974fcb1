import { isUtf8 } from 'node:buffer';
import Type, { type Static } from 'typebox';
import { actorOf } from '../../api/actor.js';
import { Problem, type Violation } from '../../errors.js';
import { IdParams } from '../../api/fields.js';
import { logicRoute, type LogicRoute } from '../../api/logicRoute.js';
import {
  findPageViolations,
  idCursor,
  PageQuery,
  pageOf,
  readPageRequestBy,
  type CursorKind,
} from '../../api/paginate.js';
import { entityTag } from '../../api/preconditions.js';
import { conditionalWrite, represent } from '../../resource/answers.js';
import { byId, ofWorkspace } from '../../resource/places.js';
import { broken } from '../../http/body/violations.js';
import type { RevisedResource } from '../../storage/revisions.js';
import { CreateDecision, Decision, ForceQuery, UpdateDecision } from './decisions.schema.js';
import { findDecision } from '../decisions.store.js';
import type { DecisionEntry } from '../decisionIndex.js';
import {
  createDecision,
  deleteDecision,
  requireChangeable,
  updateDecision,
  type Change,
  type Editing,
} from '../writing/edit.js';
import { readKey } from '../keys.js';
import { listDecisionPage, type DecisionsRequest } from '../lists.js';
import { searchDecisions, type SearchDependencies } from '../search.js';
import type { Programs } from '../programs/programs.js';
import { readModel, type ReadModel } from './readModel.js';
import { decisionDocument } from './representation.js';

const path = '/logic/decisions';
const onePath = '/logic/decisions/{id}';

const decision = ofWorkspace({
  ...byId(path),
  name: 'Decision',
  tag: 'Decisions',
  schema: Decision,
  show: ({ resource }: RevisedResource<Decision>) => resource,
  tagOf: ({ revision }) => entityTag(revision),
  absent: 'decision_not_found',
});

export interface DecisionDependencies extends Editing, SearchDependencies {
  readonly programs: Pick<Programs, 'written'>;
}

/** The five operations on decisions and their working copies. */
export function decisionRoutes(editing: DecisionDependencies): LogicRoute[] {
  const { database, pool, programs } = editing;
  return [
    logicRoute({
      method: 'POST',
      path,
      operationId: 'createDecision',
      tag: 'Decisions',
      summary: 'Create a decision with a working copy',
      scope: 'decision:write',
      query: ForceQuery,
      body: CreateDecision,
      openBody: true,
      modelBody: true,
      replies: { 201: Decision },
      replyHeaders: ['ETag'],
      problems: [
        'key_taken',
        'model_has_faults',
        'model_too_large',
        'workspace_full',
        'approval_required',
        'overloaded',
      ],
      async handle(request) {
        const { workspaceId, body, bodyText, query } = request;
        const key = requireKey(body.key);
        const model = await readModel(pool, workspaceId, { bodyText, key });
        const draft = { key, ...model, force: query.force === 'true' };
        const made = await createDecision(editing, { ...request, actor: actorOf(request) }, draft);
        programs.written(workspaceId);
        return represent(201, toResource(workspaceId, made));
      },
    }),
    listRoute(editing),
    decision.get({ summary: 'Get a decision', scope: 'decision:read' }, async ({ workspaceId, id }) => {
      const found = await findDecision(database, workspaceId, id);
      if (found !== undefined) return toResource(workspaceId, found);
      throw new Problem('decision_not_found', `There is no decision ${id} in this workspace.`);
    }),
    logicRoute({
      method: 'PATCH',
      path: onePath,
      operationId: 'updateDecision',
      tag: 'Decisions',
      summary: "Change a decision's key or working copy",
      scope: 'decision:update',
      params: IdParams,
      query: ForceQuery,
      body: UpdateDecision,
      openBody: true,
      modelBody: true,
      ...conditionalWrite(Decision),
      problems: [
        'decision_not_found',
        'key_taken',
        'approval_required',
        'precondition_failed',
        'model_has_faults',
        'model_too_large',
        'workspace_full',
        'overloaded',
      ],
      async handle(request) {
        const { workspaceId, params, body, query, header } = request;
        const key = body.key === undefined ? undefined : requireKey(body.key);
        const named = { id: params.id, key, ifMatch: header('If-Match') };
        const model = body.content === undefined ? undefined : await readChanged(editing, request, named);
        const change = { ...named, model, force: query.force === 'true' };
        const changed = await updateDecision(editing, { ...request, actor: actorOf(request) }, change);
        programs.written(workspaceId);
        return represent(200, toResource(workspaceId, changed));
      },
    }),
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
  return readModel(editing.pool, workspaceId, { bodyText, key: named.key ?? before.key });
}

const ListQuery = Type.Object(
  {
    ...PageQuery.properties,
    order: Type.Optional(
      Type.Unsafe<'asc' | 'desc' | 'key'>({
        type: 'string',
        enum: ['asc', 'desc', 'key'],
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
    findQueryViolations: findListViolations,
    replies: { 200: pageOf(Decision) },
    replyHeaders: ['X-Workspace-Revision'],
    problems: ['overloaded'],
    async handle(request) {
      const { workspaceId, query } = request;
      const wanted = readListRequest(query);
      const search = query.search?.normalize('NFC');
      const { data, page, revision } =
        search === undefined
          ? await listDecisionPage(dependencies.database, workspaceId, wanted)
          : await searchDecisions(dependencies, request, { search, request: wanted });
      return {
        status: 200,
        body: { data: data.map((entry) => decisionDocument(workspaceId, entry)), page },
        headers: { 'X-Workspace-Revision': String(revision) },
      };
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

const findViolationsById = findPageViolations(idCursor);
const findViolationsByKey = findPageViolations(byKey);

const findListViolations = (query: Filter): Violation[] =>
  (isByKey(query) ? findViolationsByKey : findViolationsById)(query);

function readListRequest(query: ListQuery): DecisionsRequest {
  const order = query.order === 'desc' ? 'desc' : 'asc';
  const { size, after, before } = query;
  const page = { size, after, before, order } as const;
  if (!isByKey(query)) return { by: 'id', ...readPageRequestBy(idCursor, page) };
  return {
    by: 'key',
    key: query.key?.normalize('NFC'),
    prefix: query.prefix?.normalize('NFC'),
    ...readPageRequestBy(byKey, page),
  };
}

const toResource = (workspaceId: string, entry: DecisionEntry): RevisedResource<Decision> => ({
  resource: decisionDocument(workspaceId, entry),
  revision: entry.revision,
});

function requireKey(text: string): string {
  const read = readKey(text);
  if ('key' in read) return read.key;
  throw broken([{ in: 'body', pointer: '/key', message: read.fault }]);
}
