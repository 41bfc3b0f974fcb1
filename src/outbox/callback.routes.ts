import type { Knex } from 'knex';
import { actorOf } from '../api/actor.js';
import { logicRoute, type LogicRoute } from '../api/logicRoute.js';
import { requireMatchTag } from '../api/preconditions.js';
import { conditionalGet, conditionalWrite, representTaggedUnlessCurrent, tagOf } from '../api/resource.js';
import { appendAuditEntries, changeEntry } from '../audit/audit.store.js';
import { Problem } from '../errors.js';
import { inTransaction } from '../storage/database.js';
import type { Encryption } from '../storage/encryption.js';
import { WorkspaceCallback, WriteWorkspaceCallback } from './callback.schema.js';
import { requireCallbackAddress } from './callbackAddress.js';
import { makeWebhookSecret } from './signature.js';
import {
  deleteWorkspaceCallback,
  findWorkspaceCallback,
  writeWorkspaceCallback,
  type WorkspaceCallback as Stored,
} from './workspaceCallbacks.store.js';

interface Dependencies {
  readonly database: Knex;
  readonly encryption: Encryption;
  /** OUTBOUND_ALLOW */
  readonly privateHosts: readonly string[];
}

const path = '/logic/callback';
const scope = 'callback:write';
const tag = 'Changes';
const resourceOf = (workspaceId: string) => ({ type: 'callback', id: workspaceId });

/** The operations on where a workspace's events go. */
export function callbackRoutes(parts: Dependencies): LogicRoute[] {
  return [readRoute(parts), writeRoute(parts), removeRoute(parts)];
}

const readRoute = ({ database }: Dependencies): LogicRoute =>
  logicRoute({
    method: 'GET',
    path,
    operationId: 'getCallback',
    tag,
    summary: "Get where the workspace's events go",
    scope,
    ...conditionalGet(WorkspaceCallback),
    problems: ['callback_not_found'],
    async handle(request) {
      const found = await findWorkspaceCallback(database, request.workspaceId);
      if (found === undefined) throw new Problem('callback_not_found', 'The workspace has no callback.');
      return representTaggedUnlessCurrent(request.header('If-None-Match'), found);
    },
  });

const requireTag = (ifMatch: string | undefined, present: Stored | undefined): void => {
  if (present !== undefined) requireMatchTag(ifMatch, tagOf(present));
  else if (ifMatch !== undefined)
    throw new Problem('precondition_failed', 'If-Match names a callback, and there is none.');
};

const writeRoute = ({ database, encryption, privateHosts }: Dependencies): LogicRoute =>
  logicRoute({
    method: 'PUT',
    path,
    operationId: 'setCallback',
    tag,
    summary: "Set where the workspace's events go, and which; the first answer alone shows the secret that signs them",
    scope,
    body: WriteWorkspaceCallback,
    ...conditionalWrite(WorkspaceCallback),
    problems: ['precondition_failed'],
    async handle(request) {
      const { workspaceId, body } = request;
      await requireCallbackAddress(body.url, privateHosts);
      const callback: Stored = { url: body.url, kinds: body.kinds };
      const made = await inTransaction(database, async (transaction) => {
        const before = await findWorkspaceCallback(transaction, workspaceId, true);
        requireTag(request.header('If-Match'), before);
        const secret = makeWebhookSecret();
        await writeWorkspaceCallback({ connection: transaction, encryption }, workspaceId, { ...callback, secret });
        const states = { before: before ?? null, after: callback };
        const entry = changeEntry(actorOf(request), workspaceId, { resource: resourceOf(workspaceId), ...states });
        await appendAuditEntries(transaction, [entry]);
        return before === undefined ? { ...callback, secret } : callback;
      });
      return { status: 200, body: made, headers: { ETag: tagOf(callback) } };
    },
  });

const removeRoute = ({ database }: Dependencies): LogicRoute =>
  logicRoute({
    method: 'DELETE',
    path,
    operationId: 'deleteCallback',
    tag,
    summary: 'Send the workspace no more events',
    scope,
    requestHeaders: ['If-Match'],
    replies: { 204: null },
    problems: ['precondition_failed'],
    async handle(request) {
      const { workspaceId } = request;
      await inTransaction(database, async (transaction) => {
        const before = await findWorkspaceCallback(transaction, workspaceId, true);
        if (before === undefined) return;
        requireTag(request.header('If-Match'), before);
        await deleteWorkspaceCallback(transaction, workspaceId);
        const states = { before, after: null };
        const entry = changeEntry(actorOf(request), workspaceId, { resource: resourceOf(workspaceId), ...states });
        await appendAuditEntries(transaction, [entry]);
      });
      return { status: 204 };
    },
  });
