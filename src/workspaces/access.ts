import type { Knex } from 'knex';
import type { Owners } from '../admission/owners.js';
import { createCache } from '../cache/cache.js';
import { Problem } from '../errors.js';
import type { ClientPrincipal, Principal } from '../oauth/principal.js';
import type { Scope } from '../oauth/scopes.js';
import type { Rates } from '../rates/rates.js';
import { asProblem } from '../storage/database.js';
import { findGrant } from './grants.store.js';
import { listPolicies } from './policies.store.js';
import { scopesOf, type Policy } from './policies.js';
import { workspaces } from './workspaces.store.js';

/** What a principal may do in a workspace. */
export interface Access {
  /**
   * The scopes that `principal` has in the workspace: a client's are its token's, an end user's follow from the
   * workspace's policies. Synchronous when cached. Throws `forbidden` alike for a workspace that is not granted, is
   * another tenant's, or does not exist; `dependency_unavailable` when MySQL can't be asked.
   */
  scopesIn(workspaceId: string, principal: Principal): ReadonlySet<string> | Promise<ReadonlySet<string>>;
}

const maxEntries = 10_000;
/** UTF-16 units of the names in all policies that are kept, each with some for itself. */
const maxUnits = 32 * 1024 * 1024;
const ownUnits = 32;
const unitsOf = ({ subjects, roles }: Policy): number =>
  [...subjects, ...roles].reduce((sum, name) => sum + ownUnits + name.length, 0);

/** Reads grants and policies from MySQL through a local cache; a change takes effect within 5 s in every process. */
export function createAccess({
  database,
  rates,
  owners,
  maxAgeMs,
}: {
  readonly database: Knex;
  readonly rates: Pick<Rates, 'setLimit'>;
  /** Is told of which tenant a workspace is, before anything of a request is admitted. */
  readonly owners: Pick<Owners, 'learn'>;
  /** How long a grant that was revoked and a policy that was removed may count still, in milliseconds. */
  readonly maxAgeMs: number;
}): Access {
  const freshness = { maxCount: maxEntries, maxAgeMs };
  const grants = createCache<true | undefined>({
    ...freshness,
    load: async (key) => {
      const [tenantId = '', clientId = '', workspaceId = ''] = key.split('/');
      const grant = await findGrant(database, { tenantId, clientId, workspaceId });
      if (grant === undefined) return undefined;
      owners.learn({ tenantId, workspaceId });
      rates.setLimit(workspaceId, grant.limit);
      return true;
    },
  });
  const policies = createCache<readonly Policy[] | undefined>({
    ...freshness,
    maxWeight: maxUnits,
    weigh: (some = []) => some.reduce((sum, policy) => sum + unitsOf(policy), 0),
    load: async (workspaceId) => {
      const [found, workspace] = await Promise.all([
        listPolicies(database, workspaceId),
        workspaces.find(database, { id: workspaceId, tenantId: undefined }),
      ]);
      if (workspace === undefined) return undefined;
      owners.learn({ tenantId: workspace.tenantId, workspaceId });
      rates.setLimit(workspaceId, workspace.limit);
      return found;
    },
  });

  async function readGrant(
    grant: Promise<true | undefined> | undefined,
    principal: ClientPrincipal,
  ): Promise<ReadonlySet<string>> {
    if ((await reading(grant)) === undefined) throw forbidden();
    return principal.scopes;
  }

  return {
    scopesIn(workspaceId, principal) {
      if (principal.kind === 'client') {
        const grant = grants.get(`${principal.tenantId}/${principal.id}/${workspaceId}`);
        return grant === true ? principal.scopes : readGrant(grant, principal);
      }
      const found = policies.get(workspaceId);
      return found instanceof Promise
        ? reading(found).then((read = []) => allowedScopes(read, principal))
        : allowedScopes(found ?? [], principal);
    },
  };
}

function allowedScopes(
  policies: readonly Policy[],
  principal: Exclude<Principal, ClientPrincipal>,
): ReadonlySet<string> {
  const scopes = scopesOf(policies, principal);
  if (scopes.size === 0) throw forbidden();
  return scopes;
}

async function reading<T>(read: T | Promise<T>): Promise<T> {
  try {
    return await read;
  } catch (error) {
    throw asProblem(error);
  }
}

// One text for every reason, so that it does not reveal which workspaces exist.
const forbidden = (): Problem => new Problem('forbidden', 'The principal has no access to this workspace.');

/** Throws `insufficient_scope` (RFC 6750, section 3.1) unless `scopes` holds exactly `scope`; no scope implies another. */
export function requireScope(scopes: ReadonlySet<string>, scope: Scope): void {
  if (scopes.has(scope)) return;
  throw new Problem('insufficient_scope', `This operation needs the scope ${scope}.`, {
    headers: { 'WWW-Authenticate': `Bearer error="insufficient_scope", scope="${scope}"` },
  });
}
