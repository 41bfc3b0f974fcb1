import type { ModelWork } from '../../workers/models/index.js';
import { actorOf } from '../api/actor.js';
import { entityTag } from '../api/preconditions.js';
import { pageType } from '../api/printed.js';
import { conditionalGet, conditionalWrite, represent, tagged, taggedUnlessCurrent } from '../resource/answers.js';
import { listOf } from '../resource/lists.js';
import { byId, ofWorkspace, refOf } from '../resource/kinds.js';
import type { RevisedResource } from '../storage/resourceTable.js';
import type { Reading } from '../decisions/readVersion.js';
import type { Routing } from '../deployments/routing.js';
import type { Configurations } from '../environments/configurations.js';
import { IdParams } from '../api/fields.js';
import { logicRoute, type LogicRoute } from '../api/logicRoute.js';
import type { Encryption } from '../storage/encryption.js';
import type { PageRequest } from '../storage/pages.js';
import { namesIn } from '../workspaces/names.store.js';
import { requireScope } from '../workspaces/access.js';
import { applyRequest } from './apply.js';
import { uncountedOf } from './approvals.js';
import { approvalsRoute, readApproving } from './approvals.routes.js';
import {
  ApplyChangeRequest,
  ChangeReports,
  ChangeRequest,
  ChangeRequestsQuery,
  CreateChangeRequest,
  CreateReview,
} from './changes.schema.js';
import type { PollLoop } from '../clock/pollLoop.js';
import { chargeRequests } from './chargeRequests.js';
import { readReports } from './checks.store.js';
import { pageOfRequests } from './list.store.js';
import { findChangeViolations, readChanges } from './readChanges.js';
import { requestPage } from './requestPage.js';
import { closeRequest, createRequest, reviewRequest } from './requests.service.js';
import { heads, requireRequest, type StoredRequest } from './requests.store.js';

interface Dependencies extends Reading {
  readonly encryption: Encryption;
  readonly routing: Routing;
  readonly configurations: Configurations;
  /** Threads that compare versions. */
  readonly models: ModelWork;
  /** Has the checks of a new request begin at once. */
  readonly jobs: Pick<PollLoop, 'wake'>;
}

const list = listOf(ChangeRequest);
const path = '/logic/change-requests';
const onePath = '/logic/change-requests/{id}';
const tag = 'Changes';

const changeRequest = ofWorkspace({
  ...byId(path),
  name: 'ChangeRequest',
  tag,
  schema: ChangeRequest,
  show: ({ resource }: StoredRequest) => resource,
  tagOf: ({ head }: StoredRequest) => entityTag(head.revision),
});

/** The operations on change requests. */
export function changeRoutes(parts: Dependencies): LogicRoute[] {
  return [
    createRoute(parts),
    ...readRoutes(parts),
    approvalsRoute(parts),
    reportsRoute(parts),
    reviewRoute(parts),
    applyRoute(parts),
    closeRoute(parts),
  ];
}

const revised = ({ resource, head }: StoredRequest): RevisedResource<object> => ({ resource, revision: head.revision });

const createRoute = (parts: Dependencies): LogicRoute =>
  changeRequest.create(
    {
      summary: 'Ask for a change of a protected environment',
      scope: 'change:write',
      body: CreateChangeRequest,
      findBodyViolations: findChangeViolations,
      problems: ['reference_not_found', 'not_protected', 'too_many_requests'],
    },
    async (request) => {
      const changes = readChanges(request);
      const writer = { ...parts, actor: actorOf(request) };
      const made = await createRequest(writer, request.workspaceId, { body: request.body, changes });
      parts.jobs.wake();
      return made;
    },
  );

const readRoutes = (parts: Dependencies): LogicRoute[] => [
  logicRoute({
    method: 'GET',
    path,
    operationId: 'listChangeRequests',
    tag,
    summary: 'List change requests',
    scope: 'change:read',
    query: ChangeRequestsQuery,
    ...list.declared,
    problems: ['overloaded'],
    handle(request) {
      const { workspaceId, query, reservation: account } = request;
      const { state, environmentId, decisionId, author } = query;
      const filter = {
        ...{ state, author },
        environmentId: environmentId?.toLowerCase(),
        decisionId: decisionId?.toLowerCase(),
      };
      const read = (wanted: PageRequest) => pageOfRequests(parts, workspaceId, filter, { ...wanted, account });
      return list.answer(request, read, undefined, namesIn(parts.database, workspaceId));
    },
  }),
  logicRoute({
    method: 'GET',
    path: onePath,
    operationId: 'getChangeRequest',
    tag,
    summary: 'Get a change request',
    description: 'With `Accept: text/html` a page to print and hand over, with what changes in words.',
    scope: 'change:read',
    params: IdParams,
    ...conditionalGet(ChangeRequest),
    requestHeaders: ['If-None-Match'],
    replyHeaders: ['ETag', 'Cache-Control'],
    pageReply: true,
    problems: ['change_request_not_found', 'engine_failure', 'engine_timeout', 'overloaded'],
    async handle(request) {
      const { header, reservation } = request;
      const ref = refOf(request);
      await chargeRequests(parts.database, { ...ref, ids: [ref.id] }, reservation);
      const stored = await requireRequest(parts, ref);
      const { resource, head } = stored;
      if (request.wants(pageType)) {
        const approving = await readApproving(parts.database, stored);
        const page = await requestPage({ ...parts, reservation }, resource, uncountedOf(approving));
        // Another representation has another tag.
        const { headers, ...reply } = tagged(200, page.body ?? '', `"${head.revision}-page"`);
        return { ...reply, headers: { ...page.headers, ...headers } };
      }
      return taggedUnlessCurrent(header('If-None-Match'), resource, entityTag(head.revision));
    },
  }),
];

const reportsRoute = ({ database }: Dependencies): LogicRoute =>
  logicRoute({
    method: 'GET',
    path: `${onePath}/reports`,
    operationId: 'getChangeReports',
    tag,
    summary: 'Get what the checks of a change request have found, whole',
    scope: 'change:read',
    params: IdParams,
    replies: { 200: ChangeReports },
    problems: ['change_request_not_found', 'overloaded'],
    async handle(request) {
      const ref = refOf(request);
      await heads.require(database, ref);
      const texts = (await readReports(database, ref, request.reservation)).map(({ check, report }) => {
        const { decisionId, version, shown } = check;
        return `${JSON.stringify({ ...shown, decisionId, version }).slice(0, -1)},"report":${report ?? 'null'}}`;
      });
      return { status: 200, body: `{"reports":[${texts.join()}]}` };
    },
  });

const ended = ['change_request_not_found', 'change_request_ended'] as const;

const reviewRoute = (parts: Dependencies): LogicRoute =>
  logicRoute({
    method: 'POST',
    path: `${onePath}/reviews`,
    operationId: 'reviewChangeRequest',
    tag,
    summary: 'Approve, reject or comment what a change request would bring into force',
    scope: 'change:review',
    params: IdParams,
    body: CreateReview,
    replies: { 201: ChangeRequest },
    replyHeaders: ['ETag'],
    problems: [...ended, 'not_protected', 'precondition_failed', 'reference_not_found', 'too_many_requests'],
    async handle(request) {
      const writer = { ...parts, actor: actorOf(request) };
      return represent(201, revised(await reviewRequest(writer, refOf(request), request.body)));
    },
  });

const applyRoute = (parts: Dependencies): LogicRoute =>
  logicRoute({
    method: 'POST',
    path: `${onePath}/apply`,
    operationId: 'applyChangeRequest',
    tag,
    summary: 'Bring an approved change request into force, all of it at once',
    description: 'With `override` also one that is not approved, where the protection allows it (`change:override`).',
    scope: 'change:apply',
    params: IdParams,
    body: ApplyChangeRequest,
    optionalBody: true,
    replies: { 200: ChangeRequest },
    replyHeaders: ['ETag'],
    problems: [...ended, 'approval_required', 'not_protected', 'reference_not_found'],
    async handle(request) {
      const { override } = request.body;
      if (override !== undefined) requireScope(request.scopes, 'change:override');
      const applying = { ...parts, actor: actorOf(request) };
      return represent(200, revised(await applyRequest(applying, refOf(request), override)));
    },
  });

const closeRoute = (parts: Dependencies): LogicRoute =>
  logicRoute({
    method: 'POST',
    path: `${onePath}/close`,
    operationId: 'closeChangeRequest',
    tag,
    summary: 'Close a change request that is not wanted any more',
    scope: 'change:write',
    params: IdParams,
    ...conditionalWrite(ChangeRequest),
    problems: [...ended, 'precondition_failed'],
    async handle(request) {
      const writer = { ...parts, actor: actorOf(request) };
      return represent(200, revised(await closeRequest(writer, refOf(request), request.header('If-Match'))));
    },
  });
