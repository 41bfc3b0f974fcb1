import { actorOf } from '../api/actor.js';
import { unstored } from '../resource/answers.js';
import { listOf } from '../resource/lists.js';
import { Problem } from '../errors.js';
import { clientRoute, type ClientRequest, type ClientRoute } from '../api/clientRoute.js';
import type { Reply } from '../http/server/response.js';
import { isCurrent } from '../api/preconditions.js';
import { readVisible } from '../http/server/context.js';
import { pageOfInquiries } from './admin.store.js';
import type { KeyedRequest } from '../storage/usedKeys.js';
import { updateKeys } from './answers.store.js';
import { completing, patching, settingPrerequisite } from './change.js';
import {
  CompleteInquiry,
  CreateInquiry,
  Inquiry,
  InquiryParams,
  InquiryQuery,
  InquirySummary,
  PrerequisiteParams,
  SetPrerequisite,
  UpdateInquiry,
} from './inquiries.schema.js';
import { createInquiry, readInquiry } from './inquiries.service.js';
import { represent } from './representation.js';
import type { Update, UpdateDependencies, Updated } from './update.js';

interface Dependencies extends UpdateDependencies {
  readonly updateInquiry: (update: Update) => Promise<Updated>;
  /** INQUIRY_URL */
  readonly flowUrl: string;
}

const list = listOf(InquirySummary);
const path = '/fuse/v2/inquiries';
const onePath = `${path}/{inquiryId}`;
const tag = 'Inquiries';

/** What operations that change an inquiry have in common. */
const changing = {
  tag,
  requestHeaders: ['If-Match', 'Idempotency-Key'],
  replyHeaders: ['ETag', 'Cache-Control', 'Idempotency-Replayed'],
  replies: { 200: Inquiry },
} as const;
const refusals = ['inquiry_not_found', 'idempotency_key_reused', 'precondition_failed', 'too_many_requests'] as const;

/** What integrators do with inquiries. */
export function inquiryRoutes(dependencies: Dependencies): ClientRoute[] {
  const { database, updateInquiry } = dependencies;
  const prune = updateKeys.pruning(database);

  /** @param target what the key's repeats must name too, beside the same body */
  async function change(request: Changed, target: string, update: Pick<Update, 'change' | 'verb'>): Promise<Reply> {
    const { principal, params, header } = request;
    const updated = await updateInquiry({
      ...update,
      actor: actorOf(request),
      ref: { tenantId: principal.tenantId, id: params.inquiryId },
      ifMatch: header('If-Match'),
      keyed: keyedOf(request, target),
    });
    return answered(200, updated);
  }

  return [
    clientRoute({
      method: 'POST',
      path,
      operationId: 'createInquiry',
      tag,
      summary: 'Create an inquiry, and notify the person',
      scope: 'inquiry:write',
      body: CreateInquiry,
      requestHeaders: ['Idempotency-Key'],
      replyHeaders: changing.replyHeaders,
      replies: { 201: Inquiry },
      problems: ['idempotency_key_reused', 'record_erased', 'too_many_requests'],
      async handle(request) {
        const { tenantId } = request.principal;
        const fields = { ...request.body, tenantId, flowUrl: dependencies.flowUrl };
        const keyed = keyedOf(request, path);
        const answer = answered(201, await createInquiry(dependencies, actorOf(request), { fields, keyed }));
        if (keyed !== undefined) prune(1);
        return answer;
      },
    }),
    clientRoute({
      method: 'GET',
      path,
      operationId: 'listInquiries',
      tag,
      summary: 'List the inquiries of the tenant, without what names people',
      scope: 'inquiries:read',
      query: InquiryQuery,
      ...list.declared,
      problems: ['too_many_requests'],
      handle(request) {
        const { externalId, completed } = request.query;
        const filter = { externalId, completed: completed === undefined ? undefined : completed === 'true' };
        const { tenantId } = request.principal;
        return list.answer(request, (wanted) => pageOfInquiries(database, tenantId, filter, wanted));
      },
    }),
    clientRoute({
      method: 'GET',
      path: onePath,
      operationId: 'getInquiry',
      tag,
      summary: 'Get an inquiry, with what has become of its notifications',
      scope: 'inquiry:read',
      orScope: 'inquiry:update',
      params: InquiryParams,
      requestHeaders: ['If-None-Match'],
      replyHeaders: ['ETag', 'Cache-Control'],
      replies: { 200: Inquiry, 304: null },
      problems: ['inquiry_not_found', 'too_many_requests'],
      async handle({ principal: { tenantId }, params: { inquiryId: id }, header }) {
        const { body, etag } = represent(await readInquiry(dependencies, { tenantId, id }));
        const headers = { ETag: etag, ...unstored };
        return isCurrent(header('If-None-Match'), etag) ? { status: 304, headers } : { status: 200, body, headers };
      },
    }),
    clientRoute({
      ...changing,
      method: 'PATCH',
      path: onePath,
      operationId: 'updateInquiry',
      summary: 'Update an inquiry, and notify the person',
      scope: 'inquiry:update',
      params: InquiryParams,
      body: UpdateInquiry,
      problems: refusals,
      handle: (request) => change(request, request.params.inquiryId, { change: patching(request.body) }),
    }),
    clientRoute({
      ...changing,
      method: 'PATCH',
      path: `${onePath}/prerequisites/{prerequisiteId}`,
      operationId: 'setPrerequisite',
      summary: 'Record that the person has completed a prerequisite, or has taken it back',
      description: 'The inquiry is complete once all of its prerequisites are, and no longer when one is taken back.',
      scope: 'inquiry:complete',
      params: PrerequisiteParams,
      body: SetPrerequisite,
      problems: [...refusals, 'prerequisite_not_found'],
      handle(request) {
        const { inquiryId, prerequisiteId } = request.params;
        return change(request, `${inquiryId}/prerequisites/${prerequisiteId}`, {
          change: settingPrerequisite(prerequisiteId, request.body.completed),
          verb: 'complete',
        });
      },
    }),
    clientRoute({
      ...changing,
      method: 'POST',
      path: `${onePath}/completion`,
      operationId: 'completeInquiry',
      summary: 'Record that the person has completed the inquiry, with all its prerequisites',
      scope: 'inquiry:complete',
      params: InquiryParams,
      body: CompleteInquiry,
      problems: refusals,
      handle(request) {
        const { authorizationCode } = request.body;
        const completion = { prerequisites: [], authorizationCode };
        return change(request, `${request.params.inquiryId}/completion`, {
          change: completing(completion),
          verb: 'complete',
        });
      },
    }),
    clientRoute({
      method: 'DELETE',
      path: onePath,
      operationId: 'deleteInquiry',
      tag,
      summary: 'Delete an inquiry for good, with its personal data; a message that is being sent may still arrive',
      scope: 'inquiry:delete',
      params: InquiryParams,
      requestHeaders: ['If-Match'],
      replies: { 204: null },
      problems: ['precondition_failed', 'too_many_requests'],
      async handle(request) {
        const ref = { tenantId: request.principal.tenantId, id: request.params.inquiryId };
        const ifMatch = request.header('If-Match');
        await updateInquiry({ actor: actorOf(request), ref, ifMatch, change: () => null }).catch(nothingThere);
        return { status: 204 };
      },
    }),
  ];
}

type Changed = ClientRequest<{ readonly inquiryId: string }, unknown, unknown>;

function keyedOf(
  { principal, bodyText, header }: ClientRequest<unknown, unknown, unknown>,
  target: string,
): KeyedRequest | undefined {
  const key = readVisible('Idempotency-Key', header('Idempotency-Key'));
  return key === undefined
    ? undefined
    : { owner: principal.tenantId, target, principal: principal.name, key, bodyText };
}

function answered(status: number, { body, etag, replayed }: Updated): Reply {
  const headers = { ETag: etag, ...unstored, ...(replayed ? { 'Idempotency-Replayed': 'true' } : {}) };
  return { status, body, headers };
}

function nothingThere(error: unknown): void {
  if (!(error instanceof Problem && error.code === 'inquiry_not_found')) throw error;
}
