import Type from 'typebox';
import { ByteBudget } from '../admission/byteBudget.js';
import { broken } from '../http/body/violations.js';
import type { OperatorPrincipal } from '../oauth/principal.js';
import type { ClientRoute } from './clientRoute.js';
import type { Reply } from '../http/server/response.js';
import { createBodyFinder } from './receive.js';
import { createFinder } from './validate.js';

/** A request of an operator, as it would come by HTTP. */
export interface OperatorRequest {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  /** JSON; empty where the operation has no body. */
  readonly bodyText: string;
  /** By their names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
}

const nothing = Type.Object({}, { additionalProperties: false });

/**
 * Calls an operation for an operator in this process, without a server: its request is checked as one that comes by HTTP, and
 * then handled by the same code. Rejects with the problems of the operation.
 */
export async function callRoute(
  route: ClientRoute,
  principal: OperatorPrincipal,
  { params, query, bodyText, headers }: OperatorRequest,
): Promise<Reply> {
  const body = bodyText === '' ? undefined : (JSON.parse(bodyText) as unknown);
  const errors = [
    ...(route.body === undefined ? [] : createBodyFinder(route, route.body)(body, false, bodyText)),
    ...createFinder(route.query ?? nothing, 'query')(query),
    ...(route.findQueryViolations?.(query) ?? []),
    ...createFinder(route.params ?? nothing, 'path')(params),
  ];
  if (errors.length > 0) throw broken(errors);
  const reservation = new ByteBudget(Number.MAX_SAFE_INTEGER).reserve(principal.name, 0);
  try {
    const reply = await route.handle({
      ...{ principal, params, query, body, bodyText, reservation },
      ...{ workspaceId: undefined, scopes: undefined, trace: undefined, items: null, file: null },
      bodyBytes: new Uint8Array(0),
      requestId: '',
      path: route.path,
      header: (name) => headers[name.toLowerCase()],
      wants: (type) => headers['accept'] === type,
      gone: () => false,
    });
    return 'texts' in reply ? { status: reply.status, body: await joined(reply.texts) } : reply;
  } finally {
    reservation.release();
  }
}

async function joined(texts: AsyncIterable<string>): Promise<string> {
  let whole = '';
  for await (const text of texts) whole += text;
  return whole;
}
