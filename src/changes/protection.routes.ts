import type { Knex } from 'knex';
import { actorOf } from '../api/actor.js';
import {
  conditionalGet,
  conditionalWrite,
  listRoute,
  refOf,
  representTagged,
  representTaggedUnlessCurrent,
  tagOf,
} from '../api/resource.js';
import { environments } from '../environments/environments.store.js';
import { Problem } from '../errors.js';
import { IdParams } from '../api/fields.js';
import { logicRoute, type LogicRoute } from '../api/logicRoute.js';
import { requireMatchTag } from '../api/preconditions.js';
import { broken } from '../http/body/violations.js';
import { EnvironmentProtection, Protection, WriteProtection } from '../protections/protections.schema.js';
import { findProtection, pageOfProtections } from '../protections/protections.store.js';
import { parseBound } from '../replays/bound.js';
import type { Encryption } from '../storage/encryption.js';
import { changeProtection } from './protect.js';

const path = '/logic/environments/{id}/protection';

/** The operations on protections of environments. */
export function protectionRoutes(parts: { readonly database: Knex; readonly encryption: Encryption }): LogicRoute[] {
  return [allRoute(parts), readRoute(parts), writeRoute(parts), removeRoute(parts)];
}

const allRoute = ({ database }: { readonly database: Knex }): LogicRoute =>
  listRoute(
    {
      path: '/logic/protections',
      operationId: 'listProtections',
      tag: 'Changes',
      summary: 'List the environments that are protected, and how',
      scope: 'environments:read',
    },
    EnvironmentProtection,
    (workspaceId, request) => pageOfProtections(database, workspaceId, request),
  );

const readRoute = ({ database }: { readonly database: Knex }): LogicRoute =>
  logicRoute({
    method: 'GET',
    path,
    operationId: 'getProtection',
    tag: 'Changes',
    summary: 'Get how an environment is protected',
    scope: 'environment:read',
    params: IdParams,
    ...conditionalGet(Protection),
    problems: ['environment_not_found', 'protection_not_found'],
    async handle(request) {
      const ref = refOf(request);
      await environments.require(database, ref);
      const protection = await findProtection(database, { ...ref, environmentId: ref.id });
      if (protection === undefined) {
        throw new Problem('protection_not_found', `The environment ${ref.id} is not protected.`);
      }
      return representTaggedUnlessCurrent(request.header('If-None-Match'), protection);
    },
  });

const preconditionOf =
  (ifMatch: string | undefined) =>
  (present: Protection | undefined): void => {
    if (present === undefined && ifMatch !== undefined) {
      throw new Problem('precondition_failed', 'If-Match names a protection, and there is none.');
    }
    if (present !== undefined) requireMatchTag(ifMatch, tagOf(present));
  };

const writeRoute = (parts: { readonly database: Knex; readonly encryption: Encryption }): LogicRoute =>
  logicRoute({
    method: 'PUT',
    path,
    operationId: 'setProtection',
    tag: 'Changes',
    summary: 'Protect an environment: it changes by approved change requests alone; what is left out is not required',
    scope: 'protection:write',
    params: IdParams,
    body: WriteProtection,
    ...conditionalWrite(Protection),
    problems: ['environment_not_found', 'precondition_failed'],
    async handle(request) {
      const protection = protectionOf(request.body);
      const precondition = preconditionOf(request.header('If-Match'));
      const writer = { ...parts, actor: actorOf(request) };
      await changeProtection(writer, refOf(request), { protection, precondition });
      return representTagged(200, protection);
    },
  });

function protectionOf({ approvals, authorMayApprove = false, requires = {}, override = false }: WriteProtection) {
  const { tests = false, analysis = false, replay = null, coverage = null } = requires;
  if (replay !== null && parseBound(replay) === undefined) {
    const message = 'must be a bound such as `changed <= 0.5%` or `newlyFailed <= 0`';
    throw broken([{ in: 'body', pointer: '/requires/replay', message }]);
  }
  return { approvals, authorMayApprove, requires: { tests, analysis, replay, coverage }, override };
}

const removeRoute = (parts: { readonly database: Knex; readonly encryption: Encryption }): LogicRoute =>
  logicRoute({
    method: 'DELETE',
    path,
    operationId: 'deleteProtection',
    tag: 'Changes',
    summary: 'Protect an environment no more',
    scope: 'protection:write',
    params: IdParams,
    requestHeaders: ['If-Match'],
    replies: { 204: null },
    problems: ['environment_not_found', 'precondition_failed'],
    async handle(request) {
      const ref = refOf(request);
      if ((await environments.find(parts.database, ref)) === undefined) return { status: 204 };
      const ifMatch = request.header('If-Match');
      const precondition = (present: Protection | undefined): void => {
        if (present !== undefined) preconditionOf(ifMatch)(present);
      };
      await changeProtection({ ...parts, actor: actorOf(request) }, ref, { protection: null, precondition });
      return { status: 204 };
    },
  });
