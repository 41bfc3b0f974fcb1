import Type, { type TObject } from 'typebox';
import type { ByteBudget, Reservation } from '../admission/byteBudget.js';
import type { Owner } from '../admission/owners.js';
import type { ReadJson } from '../http/body/body.js';
import type { ReadFile } from '../http/body/fileBody.js';
import type { ReadItems } from '../http/body/itemsBody.js';
import type { JsonBody } from '../http/body/jsonText.js';
import type { ReadLarge } from '../http/body/largeBody.js';
import { broken } from '../http/body/violations.js';
import { sendStream } from '../http/server/answerSink.js';
import { singleHeader, type HttpContext } from '../http/server/context.js';
import { reserve, send } from '../http/server/response.js';
import type { Route, RoutedContext } from '../http/server/router.js';
import { Problem, type Violation } from '../errors.js';
import type { ClientPrincipal, Principal } from '../oauth/principal.js';
import type { Verifier } from '../oauth/verify.js';
import type { VerifyClient } from '../oauth/verifyClient.js';
import type { Rates } from '../rates/rates.js';
import type { Scheduler } from '../admission/scheduler.js';
import { isUuid } from '../storage/ids.js';
import { requireScope, type Access } from '../workspaces/access.js';
import type { ClientRoute } from './clientRoute.js';
import type { LogicRoute } from './logicRoute.js';
import type { Caller, Operation, Received } from './operation.js';
import type { PrincipalRoute } from './principalRoute.js';
import { sendTexts } from './sendTexts.js';
import { createFinder } from './validate.js';

/** An operation, by who may call it. */
export type ApiRoute = LogicRoute | PrincipalRoute | ClientRoute;

/** How bodies are read. */
interface BodyReaders {
  readonly readJson: ReadJson;
  /** Of bodies that have a model. */
  readonly readModel: ReadJson;
  readonly readLarge: ReadLarge;
  readonly readItems: ReadItems;
  readonly readFile: ReadFile;
}

export interface RouteDependencies extends BodyReaders {
  readonly verifier: Verifier;
  readonly verifyClient: VerifyClient;
  readonly access: Access;
  readonly rates: Pick<Rates, 'admit'>;
  readonly budget: ByteBudget;
  readonly scheduler: Pick<Scheduler, 'yieldToLive'>;
}

/** A caller, and the account that the request's bytes are charged to. */
interface Charged {
  readonly caller: Caller;
  readonly owner: string | Owner;
}

/**
 * A declared route as the router has it. The order of checks is contract.md's: 401, 400 for the workspace's header, 403,
 * 429, then body, query, path.
 */
export function mountRoute(dependencies: RouteDependencies, route: ApiRoute): Route {
  const { rates, budget, scheduler } = dependencies;
  const { method, path, direct = false } = route;
  const identify = identifierFor(dependencies, route);
  const receive = createReceiver(dependencies, route);
  // What `identify` gives is what this kind of route is declared to get.
  const handle = route.handle as LogicRoute['handle'];
  return {
    method,
    path,
    direct,
    async handle(ctx) {
      const { caller, owner } = await identify(ctx);
      const counting = rates.admit(caller.principal, caller.workspaceId);
      if (counting !== undefined) await counting;
      const reservation = reserve(budget, ctx, owner);
      try {
        const reply = await handle((await receive(ctx, caller, reservation)) as Parameters<typeof handle>[0]);
        if ('write' in reply) await sendStream(ctx, reply);
        else if ('texts' in reply) await sendTexts(ctx, reply, { reservation, scheduler });
        else {
          const sent = send(ctx, reply, { reservation, scheduler });
          if (sent !== undefined) await sent;
        }
      } finally {
        reservation.release();
      }
    },
  };
}

const nowhere = { workspaceId: undefined, scopes: undefined };

type Identify = (ctx: HttpContext) => Promise<Charged>;

function identifierFor({ verifier, verifyClient, access }: RouteDependencies, route: ApiRoute): Identify {
  switch (route.by) {
    case 'workspace':
      return async (ctx) => {
        const principal = await verifier.verify(authorization(ctx));
        ctx.state.principal = principal.name;
        const workspaceId = readWorkspaceHeader(ctx);
        const scopes = await access.scopesIn(workspaceId, principal);
        requireScope(scopes, route.scope);
        ctx.state.workspaceId = workspaceId;
        return { caller: { principal, workspaceId, scopes }, owner: workspaceId };
      };
    case 'principal':
      return async (ctx) => {
        const principal = await verifier.verify(authorization(ctx));
        ctx.state.principal = principal.name;
        const tenantId = principal.kind === 'client' ? principal.tenantId : principal.issuer;
        return { caller: { principal, ...nowhere }, owner: { tenantId, workspaceId: principal.name } };
      };
    case 'client':
      return async (ctx) => {
        const principal = await verifyClient(authorization(ctx), ctx.ip);
        ctx.state.principal = principal.name;
        requireClientWith(principal, route);
        return { caller: { principal, ...nowhere }, owner: principal.tenantId };
      };
  }
}

function requireClientWith(
  principal: Principal,
  { scope, orScope }: ClientRoute,
): asserts principal is ClientPrincipal {
  if (principal.kind === 'user') throw new Problem('forbidden', 'This operation is for clients, not for end users.');
  if (orScope === undefined || !principal.scopes.has(orScope)) requireScope(principal.scopes, scope);
}

/** Repeated Authorization headers count as none, because choosing one would be a guess. */
const authorization = (ctx: HttpContext): string | undefined => singleHeader(ctx.req, 'authorization') ?? undefined;

function readWorkspaceHeader(ctx: HttpContext): string {
  const value = singleHeader(ctx.req, 'x-workspace-id');
  if (typeof value === 'string' && isUuid(value)) return value.toLowerCase();
  const message = value === undefined ? 'is required' : 'must be one UUID';
  throw new Problem('workspace_header_invalid', 'The header X-Workspace-Id must name the workspace by its UUID.', {
    errors: [{ in: 'header', pointer: 'X-Workspace-Id', message }],
  });
}

type ReceivedAny = Received<Record<string, unknown>, Record<string, unknown>, unknown>;

const nothing = Type.Object({}, { additionalProperties: false });
const noBody: JsonBody = { text: '', value: undefined, large: false };
const noBytes = new Uint8Array(0);

/**
 * Compiles an operation's schemas to the last check before its handler. Rejects with the violations of body, query and
 * path together.
 */
function createReceiver(
  { readJson, readModel, readLarge, readItems, readFile }: BodyReaders,
  operation: Operation,
): (ctx: RoutedContext, caller: Caller, reservation: Reservation) => Promise<ReceivedAny & Caller> {
  const findInPath = createFinder(operation.params ?? nothing, 'path');
  const findInQuery = createQueryFinder(operation);
  const findInBody =
    operation.body === undefined || operation.largeBody === true || operation.itemsBody !== undefined
      ? undefined
      : createFinder(operation.body, 'body');
  const itemsShape =
    operation.itemsBody === undefined ? null : { list: operation.itemsBody, files: operation.fileBody !== undefined };
  const ids = idsAmong(operation.params ?? nothing);
  const shape = operation.factAsText === true || operation.openBody === true ? 'open' : 'closed';
  const read = operation.modelBody === true ? readModel : readJson;
  return async (ctx, caller, reservation) => {
    const isAbsent = findInBody === undefined || (operation.optionalBody === true && hasNoBody(ctx));
    const body = isAbsent ? emptyBody(findInBody !== undefined) : await read(ctx, reservation, shape);
    const bodyBytes = operation.largeBody === true ? await readLarge(ctx, reservation) : noBytes;
    const items = itemsShape === null ? null : await readItems(ctx, reservation, itemsShape);
    const file =
      operation.fileBody === undefined || itemsShape !== null
        ? null
        : await readFile(ctx, reservation, operation.fileBody);
    const { query } = ctx;
    const params = lowerCased(ctx.params, ids);
    const inBody = findInBody?.(body.value, body.large) ?? [];
    const inQuery = findInQuery(query);
    const inPath = findInPath(params);
    if (inBody.length + inQuery.length + inPath.length > 0) throw broken([...inBody, ...inQuery, ...inPath]);
    return {
      principal: caller.principal,
      workspaceId: caller.workspaceId,
      scopes: caller.scopes,
      body: operation.factAsText === true ? { ...(body.value as object), fact: undefined } : body.value,
      bodyText: body.text,
      bodyBytes,
      items,
      file,
      query,
      params,
      requestId: ctx.state.requestId,
      path: ctx.path,
      header: (name) => {
        if (operation.requestHeaders?.includes(name) !== true)
          throw new Error(`${operation.operationId} declares no ${name}`);
        // An empty header must not count as absent.
        return ctx.req.headers[name.toLowerCase()]?.toString();
      },
      trace: ctx.state.trace,
      reservation,
      gone: () => ctx.res.destroyed || ctx.req.socket.destroyed,
    };
  };
}

/** RFC 9112, section 6.3. */
const hasNoBody = ({ req: { headers } }: HttpContext): boolean =>
  headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0;

const emptyBody = (isObject: boolean): JsonBody => (isObject ? { text: '{}', value: {}, large: false } : noBody);

function createQueryFinder({
  query,
  findQueryViolations,
}: Operation): (query: Readonly<Record<string, unknown>>) => readonly Violation[] {
  const find = createFinder(query ?? nothing, 'query');
  return findQueryViolations === undefined ? find : (value) => [...find(value), ...findQueryViolations(value)];
}

/** The parameters that are ids, which are case-insensitive. */
const idsAmong = (params: TObject): readonly string[] =>
  Object.entries(params.properties as Record<string, { format?: string }>)
    .filter(([, { format }]) => format === 'uuid')
    .map(([name]) => name);

function lowerCased(params: Readonly<Record<string, string>>, ids: readonly string[]): Record<string, string> {
  const lowered = { ...params };
  for (const name of ids) lowered[name] = lowered[name]?.toLowerCase() ?? '';
  return lowered;
}
