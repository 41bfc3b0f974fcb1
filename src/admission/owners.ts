import { Recent } from '../../workers/recent/index.js';

/** Whose work, bytes or time it is: a workspace's, or another caller's, of a tenant. */
export interface Owner {
  readonly tenantId: string;
  readonly workspaceId: string;
}

/** Stands for the tenant of all callers who have not said yet who they are: they are counted as one tenant together. */
export const nobody = 'nobody';

/** Workspaces whose tenant is remembered. The cache of access, which tells the tenants, holds fewer workspaces. */
const maxKnown = 20_000;

/**
 * Knows the tenants of workspaces. They are learnt from the token or the policies by which a request came, and from the rows of
 * jobs; a workspace never changes its tenant. Until its tenant is learnt a workspace counts as a tenant of its own.
 */
export class Owners {
  readonly #known = new Recent<{ tenantId: string; workspaceId: string }>({ maxCount: maxKnown });

  /** The workspace's one `Owner` object; its tenant is corrected once it is learnt. */
  of(workspaceId: string): Owner {
    return this.#known.get(workspaceId) ?? this.#add(workspaceId, workspaceId);
  }

  learn({ tenantId, workspaceId }: Owner): void {
    const owner = this.#known.get(workspaceId);
    if (owner === undefined) this.#add(workspaceId, tenantId);
    else owner.tenantId = tenantId;
  }

  /** When there are too many, the tenant with the most workspaces loses some, so no tenant can have another's forgotten. */
  #add(workspaceId: string, tenantId: string): Owner {
    const owner = { tenantId, workspaceId };
    this.#known.set(workspaceId, owner, 1, tenantId);
    return owner;
  }
}
