import type { Knex } from 'knex';
import { batches } from '../storage/batches.js';
import { idToBytes, newId } from '../storage/ids.js';

/** Who writes: a token's principal and its request, or the user of the local command line. */
export interface Actor {
  /** `client:<uuid>`, `user:<issuer>#<sub>` or `operator:<system user>`. */
  readonly principal: string;
  readonly requestId: string | null;
}

/** One write, as it is told of. States are what the API shows of the resource, without secrets and without long contents. */
export interface NewAuditEntry {
  readonly actor: Actor;
  /** Null for what belongs to a tenant as a whole; then `tenantId` is set. */
  readonly workspaceId: string | null;
  readonly tenantId?: string;
  /** `<resource>.<verb>`, such as `deployment.create`. */
  readonly action: string;
  readonly resource: { readonly type: string; readonly id: string; readonly key?: string };
  /** Null where there was nothing before, or is nothing after. */
  readonly before: object | null;
  readonly after: object | null;
}

/** Appends entries in the transaction of the writes that they tell of, so that neither is there without the other. */
export async function appendAuditEntries(
  transaction: Knex.Transaction,
  entries: readonly NewAuditEntry[],
): Promise<void> {
  const now = new Date();
  const rows = entries.map(({ actor, workspaceId, tenantId, action, resource, before, after }) => ({
    id: idToBytes(newId()),
    tenant_id: tenantId === undefined ? null : idToBytes(tenantId),
    workspace_id: workspaceId === null ? null : idToBytes(workspaceId),
    principal: actor.principal.slice(0, 255),
    request_id: actor.requestId === null ? null : idToBytes(actor.requestId),
    action,
    resource_type: resource.type,
    resource_id: resource.id,
    resource_key: resource.key ?? null,
    before_state: before === null ? null : JSON.stringify(before),
    after_state: after === null ? null : JSON.stringify(after),
    created_at: now,
  }));
  const lengthOf = (row: (typeof rows)[number]): string => (row.before_state ?? '') + (row.after_state ?? '');
  for (const batch of batches(rows, lengthOf)) await transaction('audit_entries').insert(batch);
}
