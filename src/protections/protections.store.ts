import type { Knex } from 'knex';
import type { Connection } from '../storage/database.js';
import { idToBytes } from '../storage/ids.js';
import type { Protection } from './protections.schema.js';

/** One environment of a workspace. */
export interface Place {
  readonly workspaceId: string;
  readonly environmentId: string;
}

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

const rowOf = (connection: Connection, { workspaceId, environmentId }: Place): Knex.QueryBuilder =>
  connection('protections').where({
    environment_id: idToBytes(environmentId),
    workspace_id: idToBytes(workspaceId),
  });

/** Undefined where the environment is not protected. */
export async function findProtection(connection: Connection, place: Place): Promise<Protection | undefined> {
  const [row] = (await rowOf(connection, place).select(columns)) as Row[];
  return row && mapRow(row);
}

/** Writes it, in place of the one before. */
export async function writeProtection(
  connection: Connection,
  { workspaceId, environmentId }: Place,
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

export async function deleteProtection(connection: Connection, place: Place): Promise<void> {
  await rowOf(connection, place).delete();
}
