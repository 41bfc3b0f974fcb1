import type { Knex } from 'knex';
import { Problem } from '../errors.js';
import { Fields, flag, id, nested, plain, type Columns } from '../storage/columns.js';
import type { Connection } from '../storage/database.js';
import { idFromBytes, idToBytes } from '../storage/ids.js';
import { readPageBy, type Page, type PageRequest } from '../storage/pages.js';
import type { EnvironmentRef } from '../storage/resourceTable.js';
import type { EnvironmentProtection, Protection } from './protections.schema.js';

const columns: Columns<Protection> = {
  approvals: plain('approvals'),
  authorMayApprove: flag('author_may_approve'),
  requires: nested({
    tests: flag('requires_tests'),
    analysis: flag('requires_analysis'),
    replay: plain('requires_replay'),
    coverage: plain('requires_coverage'),
  }),
  override: flag('may_override'),
};
const fields = new Fields(columns);
const ofEnvironment = new Fields<EnvironmentProtection>({ environmentId: id('environment_id'), ...columns });

const rowOf = (connection: Connection, { workspaceId, environmentId }: EnvironmentRef): Knex.QueryBuilder =>
  connection('protections').where({
    environment_id: idToBytes(environmentId),
    workspace_id: idToBytes(workspaceId),
  });

/** Undefined where the environment is not protected. */
export async function findProtection(connection: Connection, ref: EnvironmentRef): Promise<Protection | undefined> {
  const reading = rowOf(connection, ref).select(fields.names);
  const [row] = (await reading) as object[];
  return row && fields.map(row);
}

/** Rejects with `protection_not_found`. */
export async function requireProtection(connection: Connection, ref: EnvironmentRef): Promise<Protection> {
  const found = await findProtection(connection, ref);
  if (found !== undefined) return found;
  throw new Problem('protection_not_found', `The environment ${ref.environmentId} is not protected.`);
}

/** The protections of a workspace, in the order of their environments. */
export function pageOfProtections(
  connection: Connection,
  workspaceId: string,
  request: PageRequest,
): Promise<Page<EnvironmentProtection>> {
  const rows = connection(connection.raw('?? FORCE INDEX (??)', ['protections', 'protections_workspace']))
    .select(ofEnvironment.names)
    .where('workspace_id', idToBytes(workspaceId));
  return readPageBy(rows, request, ofEnvironment.map, ({ environmentId }) => idToBytes(environmentId), {
    column: 'environment_id',
  });
}

/** Writes it, in place of the one before. */
export async function writeProtection(
  connection: Connection,
  { workspaceId, environmentId }: EnvironmentRef,
  protection: Protection,
): Promise<void> {
  const now = new Date();
  const written = { ...fields.toRow(protection), updated_at: now };
  await connection('protections')
    .insert({
      environment_id: idToBytes(environmentId),
      workspace_id: idToBytes(workspaceId),
      ...written,
      created_at: now,
    })
    .onConflict('environment_id')
    .merge(Object.keys(written));
}

export async function deleteProtection(connection: Connection, ref: EnvironmentRef): Promise<void> {
  await rowOf(connection, ref).delete();
}

/** Decisions whose working copies are in force in protected environments; one index entry where none is protected. */
export async function protectedCopies(connection: Connection, workspaceId: string): Promise<string[]> {
  const [rows] = (await connection.raw(
    `SELECT DISTINCT STRAIGHT_JOIN r.decision_id
       FROM protections p
       JOIN routing_heads h ON h.workspace_id = p.workspace_id AND h.environment_id = p.environment_id
       JOIN routings r ON r.seq = (
         SELECT n.seq FROM routings n FORCE INDEX (routings_pair)
          WHERE n.workspace_id = h.workspace_id AND n.environment_id = h.environment_id AND n.decision_id = h.decision_id
          ORDER BY n.seq DESC LIMIT 1)
      WHERE p.workspace_id = ? AND r.version = 0`,
    [idToBytes(workspaceId)],
  )) as [{ decision_id: Buffer }[]];
  return rows.map((row) => idFromBytes(row.decision_id));
}
