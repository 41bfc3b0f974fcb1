import { Readable } from 'node:stream';
import type { Operation } from '#openapi/operations.gen.js';
import { clientsRoutes } from '../access/clients.routes.js';
import { requireClient } from '../access/clientTransaction.js';
import { tenancyRoutes } from '../access/tenancy.routes.js';
import { workspaces } from '../workspaces/workspaces.store.js';
import { callRoute, type OperatorRequest } from '../api/callRoute.js';
import type { ClientRoute } from '../api/clientRoute.js';
import { inquiryRoutes } from '../inquiries/inquiries.routes.js';
import { findTenantOf } from '../inquiries/admin.store.js';
import { inquiryNotFound } from '../inquiries/inquiries.store.js';
import { createUpdateInquiry } from '../inquiries/update.js';
import { listTenants } from '../workspaces/tenants.store.js';
import { UsageError } from './failures.js';
import { readPages, type Operations, type Reply, type Request } from './remote/service.js';
import type { Session } from './session.js';

/** The operations of tenants for an operator, in this process on the database. `tenant` undefined: whichever it is. */
export function createOperations(session: Session, tenant: string | undefined): Operations {
  let routes: readonly ClientRoute[] | undefined;
  const routeOf = async ({ method, path }: Pick<Operation<unknown>, 'method' | 'path'>): Promise<ClientRoute> => {
    routes ??= await routesFor(session);
    const found = routes.find((route) => route.method === method && route.path === path);
    if (found === undefined) throw new Error(`operators have no ${method} ${path}`);
    return found;
  };

  const sendIn = async <Body>(
    tenantId: string,
    operation: Operation<Body>,
    request: Request = {},
  ): Promise<Reply<Body>> => {
    const { actor } = await session.stores();
    const principal = { kind: 'operator', tenantId, name: actor.principal } as const;
    const sent = sentBy(request);
    // By HTTP it is no fault to delete what is not there; an operator who does has probably mistaken an id.
    if (operation.method === 'DELETE') await callRoute(await routeOf({ ...operation, method: 'GET' }), principal, sent);
    const { body = null, headers } = await callRoute(await routeOf(operation), principal, sent);
    // An answer is JSON text already, or an object.
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    return { body: JSON.parse(text) as Body, headers: new Headers(headers), tenantId };
  };

  /** The tenants that a list is of. */
  const listed = async (): Promise<readonly string[]> =>
    tenant === undefined ? (await listTenants(await session.database())).map(({ id }) => id) : [tenant];

  const send: Operations['send'] = async (operation, request = {}) => {
    if (operation.path.includes('{')) {
      return sendIn(tenant ?? (await tenantOf(session, operation.path, request)), operation, request);
    }
    if (tenant === undefined) throw new UsageError('say whose it is on the database: --tenant <id>.');
    return sendIn(tenant, operation, request);
  };

  return {
    send,
    async all(operation, request) {
      if (operation.path.includes('{')) return readPages(send, operation, request);
      const found = [];
      for (const tenantId of await listed()) {
        const items = await readPages((...asked) => sendIn(tenantId, ...asked), operation, request);
        found.push(...items.map((item) => ({ ...item, tenantId })));
      }
      return found.sort(byId);
    },
    async file(operation, request) {
      if (tenant === undefined) throw new UsageError('say whose it is on the database: --tenant <id>.');
      const { actor } = await session.stores();
      const principal = { kind: 'operator', tenantId: tenant, name: actor.principal } as const;
      const { body = '' } = await callRoute(await routeOf(operation), principal, sentBy(request));
      return Readable.from([body as string]);
    },
    async newest(operation, { size, ...query }) {
      const found = [];
      for (const tenantId of await listed()) {
        const { body } = await sendIn(tenantId, operation, { query: { ...query, size, order: 'desc' } });
        found.push(...body.data.map((item) => ({ ...item, tenantId })));
      }
      return found.sort(byId).reverse().slice(0, size);
    },
  };
}

/** Ids rise with time. */
const byId = (one: object, other: object): number => (idOf(one) < idOf(other) ? -1 : 1);
const idOf = (item: object): string => ('id' in item ? String(item.id) : '');

/** @throws UsageError, or Problem where there is no such thing in any tenant */
async function tenantOf(session: Session, path: string, { params = {} }: Request): Promise<string> {
  const stores = await session.stores();
  const id = String(params['inquiryId'] ?? params['id']);
  if (path.startsWith('/fuse/')) {
    const tenantId = await findTenantOf(stores.database, id);
    if (tenantId === undefined) throw inquiryNotFound(id);
    return tenantId;
  }
  if (path.startsWith('/core/v1/clients/')) return (await requireClient(stores.database, { id })).tenantId;
  return (await workspaces.require(stores.database, { id, tenantId: undefined })).tenantId;
}

async function routesFor(session: Session): Promise<ClientRoute[]> {
  const stores = await session.stores();
  const sending = { ...stores, maxPerMinute: null, wakeOutbox: () => undefined };
  const updateInquiry = createUpdateInquiry(sending);
  return [
    ...clientsRoutes(stores),
    ...tenancyRoutes(stores),
    ...inquiryRoutes({ ...sending, updateInquiry, flowUrl: session.config().inquiryUrl }),
  ];
}

function sentBy({ params = {}, query = {}, body, headers = {} }: Request): OperatorRequest {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  return {
    params: Object.fromEntries(Object.entries(params).map(([name, value]) => [name, String(value)])),
    query: Object.fromEntries(given.map(([name, value]) => [name, String(value)])),
    bodyText: typeof body === 'string' ? body : '',
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
  };
}
