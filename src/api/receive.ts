import Type, { type TObject, type TSchema } from 'typebox';
import { isRecord, maxViolations } from '../../workers/json/index.js';
import type { Reservation } from '../admission/byteBudget.js';
import type { ReadJson } from '../http/body/body.js';
import type { ReadFile } from '../http/body/fileBody.js';
import type { ReadItems } from '../http/body/itemsBody.js';
import type { JsonBody } from '../http/body/jsonText.js';
import type { ReadLarge } from '../http/body/largeBody.js';
import { broken } from '../http/body/violations.js';
import { accepted } from '../http/server/accepted.js';
import type { HttpContext } from '../http/server/context.js';
import type { RoutedContext } from '../http/server/router.js';
import type { Violation } from '../errors.js';
import type { Caller, Operation, Received } from './operation.js';
import { createFinder } from './validate.js';

/** How bodies are read. */
export interface BodyReaders {
  readonly readJson: ReadJson;
  /** Of bodies that have a model. */
  readonly readModel: ReadJson;
  readonly readLarge: ReadLarge;
  readonly readItems: ReadItems;
  readonly readFile: ReadFile;
}

type ReceivedAny = Received<Record<string, unknown>, Record<string, unknown>, unknown>;

const nothing = Type.Object({}, { additionalProperties: false });
const noBody: JsonBody = { text: '', value: undefined, large: false };
const noBytes = new Uint8Array(0);

/**
 * Compiles an operation's schemas to the last check before its handler. Rejects with the violations of body, query and
 * path together.
 */
export function createReceive(
  { readJson, readModel, readLarge, readItems, readFile }: BodyReaders,
  operation: Operation,
): (ctx: RoutedContext, caller: Caller, reservation: Reservation) => Promise<ReceivedAny & Caller> {
  const findInPath = createFinder(operation.params ?? nothing, 'path');
  const findInQuery = createQueryFinder(operation);
  const findInBody =
    operation.body === undefined || operation.largeBody === true || operation.itemsBody !== undefined
      ? undefined
      : createBodyFinder(operation, operation.body);
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
    const inBody = findInBody?.(body.value, body.large, body.text) ?? [];
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
      // JSON stands first, and so is what `*/*` and a missing Accept get.
      wants: (type) => accepted(ctx, 'application/json', type) === type,
      trace: ctx.state.trace,
      reservation,
      gone: () => ctx.res.destroyed || ctx.req.socket.destroyed,
    };
  };
}

/** RFC 9112, section 6.3. */
const hasNoBody = ({ req: { headers } }: HttpContext): boolean =>
  headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0;

/** Faults of a body by its schema, and those that the schema can't express: no more of both than `createFinder` tells. */
export function createBodyFinder(
  { findBodyViolations }: Pick<Operation, 'findBodyViolations'>,
  schema: TSchema,
): (body: unknown, isLarge?: boolean, text?: string) => readonly Violation[] {
  const find = createFinder(schema, 'body');
  if (findBodyViolations === undefined) return find;
  return (body, isLarge, text = '') => {
    const found = find(body, isLarge);
    return isRecord(body) ? [...found, ...findBodyViolations(body, text)].slice(0, maxViolations) : found;
  };
}

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
