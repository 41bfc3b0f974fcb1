import type { Knex } from 'knex';
import { actorOf } from '../api/actor.js';
import type { ClientRequest } from '../api/clientRoute.js';
import type { Writer } from '../audit/audit.store.js';
import { Problem, type Violation } from '../errors.js';
import { isWithin, type Limit } from '../rates/limit.js';
import { idToBytes } from '../storage/ids.js';
import { requireScope } from '../workspaces/access.js';
import { grantsOf } from '../workspaces/grants.store.js';
import { invalidToken } from '../oauth/challenge.js';
import { findClient, isActive, type Client } from '../oauth/clients.store.js';
import type { ClientPrincipal, OperatorPrincipal } from '../oauth/principal.js';
import type { Scope } from '../oauth/scopes.js';

// Nobody gives what they do not have. Rights are pairs (a scope in a workspace, a scope at a resource), so a change that
// adds anything to a client makes all of it a gift: then all that the client may do is at most what the giver may do.

/** Who writes rights: an operator, on the database, who may give anything, or a client, which gives what it has. */
export type Giver = ClientPrincipal | Pick<OperatorPrincipal, 'kind'>;

/** Who writes by a request, and gives at most what it has. */
export const writerOf = (
  database: Knex,
  request: Pick<ClientRequest<unknown, unknown, unknown>, 'principal' | 'requestId'>,
): Writer & { readonly giver: Giver } => ({ database, actor: actorOf(request), giver: request.principal });

/** What somebody may do. */
export interface Rights {
  readonly scopes: readonly string[];
  readonly resources: readonly string[];
  /** Ids. */
  readonly workspaces: readonly string[];
  /** Null: for as long as nobody takes it away. */
  readonly expiresAt: string | null;
  readonly limit: Limit | null;
}

/** What a giver has, and whose requests its own are counted with. */
export type GiverRights = Rights & Pick<Client, 'bucketId'>;

/**
 * Locks the tenant until the transaction ends, which every write of its clients, grants and policies does first: so what
 * is read afterwards is what is in force when the gift is, whatever others do at the same time.
 */
export async function lockTenant(transaction: Knex.Transaction, tenantId: string): Promise<void> {
  await transaction('tenants').select('id').where('id', idToBytes(tenantId)).forUpdate();
}

/**
 * What the giver has now: of its client, what its token allows too. Undefined for an operator. To be called once the
 * tenant is locked. Throws `unauthorized`, `insufficient_scope` where the giver has lost `needed` meanwhile.
 */
export async function rightsOfGiver(
  transaction: Knex.Transaction,
  giver: Giver,
  needed: Scope,
): Promise<GiverRights | undefined> {
  if (giver.kind === 'operator') return undefined;
  const client = await findClient(transaction, giver.id);
  if (client === undefined || !isActive(client))
    throw invalidToken('The client of the access token is disabled or has expired.');
  const scopes = client.scopes.filter((scope) => giver.scopes.has(scope));
  requireScope(new Set(scopes), needed);
  const workspaces = (await grantsOf(transaction, client.tenantId, [client.id])).get(client.id) ?? [];
  return { ...client, scopes, workspaces };
}

/** Throws `exceeds_own_rights`, with each right that is not the giver's. @param own undefined: everything */
export function requireOwn(own: Rights | undefined, given: Partial<Rights>): void {
  if (own === undefined) return;
  const errors: Violation[] = [];
  const blame = (pointer: string, message: string): void => void errors.push({ in: 'body', pointer, message });
  for (const kind of ['scopes', 'resources', 'workspaces'] as const) {
    given[kind]?.forEach((each, index) => {
      if (!own[kind].includes(each)) blame(`/${kind}/${index}`, `${each} is not yours to give`);
    });
  }
  const { expiresAt, limit } = given;
  if (expiresAt !== undefined && isLater(expiresAt, own.expiresAt)) {
    blame('/expiresAt', `must be no later than your own: ${String(own.expiresAt)}`);
  }
  if (limit !== undefined && !isWithin(limit, own.limit)) blame('/limit', 'must be no higher than your own');
  if (errors.length === 0) return;
  throw new Problem('exceeds_own_rights', 'A client gives at most what it has itself.', { errors });
}

/** Whether what had `before` has anything more by `after`. */
export const addsTo = (before: Rights, after: Rights): boolean =>
  (['scopes', 'resources', 'workspaces'] as const).some((kind) =>
    after[kind].some((each) => !before[kind].includes(each)),
  ) ||
  isLater(after.expiresAt, before.expiresAt) ||
  !isWithin(after.limit, before.limit);

const isLater = (time: string | null, bound: string | null): boolean =>
  bound !== null && (time === null || time > bound);
