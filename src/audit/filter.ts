import type { Knex } from 'knex';
import type { Connection } from '../storage/database.js';
import { idFromBytes, idToBytes, lowestIdAt } from '../storage/ids.js';

/** Which entries; undefined fields do not filter. */
export interface AuditFilter {
  readonly resourceType?: string | undefined;
  readonly resourceId?: string | undefined;
  /** Entries of one of these, as `resourcesAbout` finds them. */
  readonly about?: ResourcesAbout | undefined;
  readonly principal?: string | undefined;
  readonly action?: string | undefined;
  /** Entries from then on. */
  readonly from?: Date | undefined;
  /** Entries before then. */
  readonly to?: Date | undefined;
}

/** @param workspaceId in bytes; null for what is of none */
export function filtered(connection: Connection, workspaceId: Buffer | null, filter: AuditFilter): Knex.QueryBuilder {
  const indexed = connection.raw('?? FORCE INDEX (??)', ['audit_entries', indexFor(filter)]);
  const rows = connection(indexed).where({ workspace_id: workspaceId });
  const { resourceType, resourceId, about, principal, action, from, to } = filter;
  if (resourceType !== undefined) rows.where('resource_type', resourceType);
  if (resourceId !== undefined) rows.where('resource_id', resourceId);
  if (about !== undefined)
    rows.where((either) => {
      void either.whereIn('resource_id', about.ids);
      void either.orWhere(
        (within) => void within.where('resource_id', '>=', about.prefix).where('resource_id', '<', after(about.prefix)),
      );
    });
  if (principal !== undefined) rows.where('principal', storedPrincipal(principal));
  if (action !== undefined) rows.where('action', action);
  if (from !== undefined) rows.where('id', '>=', lowestIdAt(from));
  if (to !== undefined) rows.where('id', '<', lowestIdAt(to));
  return rows;
}

/** The least text that is greater than all that begin with this one, which ends in a sign of ASCII. */
const after = (prefix: string): string =>
  prefix.slice(0, -1) + String.fromCharCode(prefix.charCodeAt(prefix.length - 1) + 1);

/** Each filter is a range of one index, in the order of ids; of several filters the most selective one decides. */
function indexFor({ resourceId, about, principal, action, resourceType }: AuditFilter): string {
  if (resourceId !== undefined || about !== undefined) return 'audit_entries_resource';
  if (principal !== undefined) return 'audit_entries_principal';
  if (action !== undefined) return 'audit_entries_action';
  return resourceType === undefined ? 'audit_entries_workspace' : 'audit_entries_type';
}

/** The ids that audit entries have of what belongs to a decision or an environment. */
export interface ResourcesAbout {
  readonly ids: readonly string[];
  /** Of variables and routings of an environment, whose ids begin with its own. */
  readonly prefix: string;
}

/** Of each kind the newest ones count: so many deployments of one decision nobody makes by hand. */
const mostOfKind = 2000;

/**
 * What belongs to a decision or an environment and is written of by itself: its deployments, those that were deleted too, the change
 * requests that name it, and what is in force of it.
 */
export async function resourcesAbout(connection: Connection, workspaceId: string, id: string): Promise<ResourcesAbout> {
  const [workspace, own] = [idToBytes(workspaceId), idToBytes(id)];
  const ofColumn = (table: string, column: string, wanted: string): Knex.QueryBuilder =>
    connection(table)
      .distinct(`${wanted} as id`)
      .where({ workspace_id: workspace, [column]: own })
      .orderBy('id', 'desc')
      .limit(mostOfKind);
  const rows = [
    ofColumn('deployments', 'decision_id', 'id'),
    ofColumn('deployments', 'environment_id', 'id'),
    ofColumn('change_requests', 'environment_id', 'id'),
    ofColumn('change_request_changes', 'decision_id', 'change_request_id'),
  ];
  const ids = [id];
  for (const found of rows) for (const row of (await found) as { id: Buffer }[]) ids.push(idFromBytes(row.id));
  const environments = (await connection('environments').select('id').where({ workspace_id: workspace })) as {
    id: Buffer;
  }[];
  for (const environment of environments) ids.push(`${idFromBytes(environment.id)}/${id}`);
  const gone = (await connection(connection.raw('audit_entries FORCE INDEX (audit_entries_action)'))
    .select('resource_id as id')
    .where({ workspace_id: workspace, action: 'deployment.delete' })
    .where((either) => {
      for (const name of ['decisionId', 'environmentId'])
        void either.orWhere('before_state', 'like', `%"${name}":"${id}"%`);
    })
    .orderBy('audit_entries.id', 'desc')
    .limit(mostOfKind)) as { id: string }[];
  return { ids: [...ids, ...gone.map((entry) => entry.id)], prefix: `${id}/` };
}

/** Cut to the column's length. */
export const storedPrincipal = (principal: string): string => principal.slice(0, 255);
