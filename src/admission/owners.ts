import { Recent } from '../../workers/recent/index.js';

/** Whose work, bytes or time it is: a workspace's, or another caller's, of a tenant. */
export interface Owner {
  readonly tenantId: string;
  readonly workspaceId: string;
}

/** In place of a tenant, of all callers who have not said yet who they are: together they are one side. */
export const nobody = 'nobody';

/** Workspaces whose tenant is remembered: more than a process has the access of, which is what says their tenant. */
const maxKnown = 20_000;

/**
 * Which tenant a workspace is of, as known to this process: from the token or the policies by which a request came, and from
 * the row of a job. That never changes. A workspace of which it is not known yet counts as a tenant of its own.
 */
export class Owners {
  readonly #known = new Recent<{ tenantId: string; workspaceId: string }>({ maxCount: maxKnown });

  /** One object for each, which has the right tenant from when that is learnt. */
  of(workspaceId: string): Owner {
    return this.#known.get(workspaceId) ?? this.#add(workspaceId, workspaceId);
  }

  learn({ tenantId, workspaceId }: Owner): void {
    const owner = this.#known.get(workspaceId);
    if (owner === undefined) this.#add(workspaceId, tenantId);
    else owner.tenantId = tenantId;
  }

  /** Where there are too many, the tenant that has most of them loses some: so nobody has others' forgotten. */
  #add(workspaceId: string, tenantId: string): Owner {
    const owner = { tenantId, workspaceId };
    this.#known.set(workspaceId, owner, 1, tenantId);
    return owner;
  }
}
