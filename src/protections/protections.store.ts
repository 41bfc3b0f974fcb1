import type { Knex } from 'knex';
import { Problem } from '../errors.js';
import type { Connection } from '../storage/database.js';
import { idFromBytes, idToBytes } from '../storage/ids.js';
import { readPageBy, type Page, type PageRequest } from '../storage/pages.js';
import type { EnvironmentRef } from '../storage/resourceTable.js';
import type { EnvironmentProtection, Protection } from './protections.schema.js';

interface Row {
  readonly approvals: number;
  readonly author_may_approve: number;
  readonly requires_tests: number;
  readonly requires_analysis: number;
  readonly requires_replay: string | null;
  readonly requires_coverage: number | null;
  readonly may_override: number;
}

const columns = [
  'approvals',
  'author_may_approve',
  'requires_tests',
  'requires_analysis',
  'requires_replay',
  'requires_coverage',
  'may_override',
];

const mapRow = (row: Row): Protection => ({
  approvals: row.approvals,
  authorMayApprove: row.author_may_approve === 1,
  requires: {
    tests: row.requires_tests === 1,
    analysis: row.requires_analysis === 1,
    replay: row.requires_replay,
    coverage: row.requires_coverage,
  },
  override: row.may_override === 1,
});

const rowOf = (connection: Connection, { workspaceId, environmentId }: EnvironmentRef): Knex.QueryBuilder =>
  connection('protections').where({
    environment_id: idToBytes(environmentId),
    workspace_id: idToBytes(workspaceId),
  });

/** Undefined where the environment is not protected. */
export async function findProtection(connection: Connection, ref: EnvironmentRef): Promise<Protection | undefined> {
  const [row] = await rowOf(connection, ref).select<Row[]>(columns);
  return row && mapRow(row);
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
    .select(['environment_id', ...columns])
    .where('workspace_id', idToBytes(workspaceId));
  return readPageBy(
    rows,
    request,
    (row: Row & { readonly environment_id: Buffer }) => ({
      environmentId: idFromBytes(row.environment_id),
      ...mapRow(row),
    }),
    ({ environmentId }) => idToBytes(environmentId),
    { column: 'environment_id' },
  );
}

/** Writes it, in place of the one before. */
export async function writeProtection(
  connection: Connection,
  { workspaceId, environmentId }: EnvironmentRef,
  { approvals, authorMayApprove, requires, override }: Protection,
): Promise<void> {
  const now = new Date();
  const fields = {
    approvals,
    author_may_approve: authorMayApprove,
    requires_tests: requires.tests,
    requires_analysis: requires.analysis,
    requires_replay: requires.replay,
    requires_coverage: requires.coverage,
    may_override: override,
    updated_at: now,
  };
  await connection('protections')
    .insert({
      environment_id: idToBytes(environmentId),
      workspace_id: idToBytes(workspaceId),
      ...fields,
      created_at: now,
    })
    .onConflict('environment_id')
    .merge(Object.keys(fields));
}

export async function deleteProtection(connection: Connection, ref: EnvironmentRef): Promise<void> {
  await rowOf(connection, ref).delete();
}
