import type { Knex } from 'knex';
import { batches } from '../storage/batches.js';
import type { Connection } from '../storage/database.js';
import { idFromBytes, idToBytes } from '../storage/ids.js';
import type { DirectoryEntry } from './directory.js';

/** An immutable snapshot of a decision and all that it can reach. */
export interface Version {
  readonly decisionId: string;
  readonly version: number;
  /** SHA-256 (hex) of the manifest. */
  readonly programId: string;
  readonly createdAt: string;
}

/** A version about to be stored, with its manifest as canonical JSON. */
export interface NewVersion {
  readonly decisionId: string;
  readonly version: number;
  readonly programId: string;
  readonly manifest: string;
}

interface Row {
  readonly decision_id: Buffer;
  readonly version: number;
  readonly program_id: Buffer;
  readonly created_at: Date;
}

const columns = ['decision_id', 'version', 'program_id', 'created_at'];

const mapRow = (row: Row): Version => ({
  decisionId: idFromBytes(row.decision_id),
  version: row.version,
  programId: row.program_id.toString('hex'),
  createdAt: row.created_at.toISOString(),
});

const batchSize = 200;

/** All versions of a decision, oldest first. */
export async function listVersions(
  connection: Connection,
  workspaceId: string,
  decisionId: string,
): Promise<Version[]> {
  const rows = (await connection('versions')
    .select(columns)
    .where({ workspace_id: idToBytes(workspaceId), decision_id: idToBytes(decisionId) })
    .orderBy('version')) as Row[];
  return rows.map(mapRow);
}

export async function findManifest(
  connection: Connection,
  workspaceId: string,
  decisionId: string,
  version: number,
): Promise<{ programId: string; manifest: string } | undefined> {
  const [row] = (await connection('versions')
    .select('program_id', 'manifest')
    .where({ workspace_id: idToBytes(workspaceId), decision_id: idToBytes(decisionId), version })) as {
    program_id: Buffer;
    manifest: string;
  }[];
  return row && { programId: row.program_id.toString('hex'), manifest: row.manifest };
}

/** The program of each decision's newest version, by decision id; those without versions are absent. */
export async function newestPrograms(
  connection: Connection,
  workspaceId: string,
  decisions: readonly DirectoryEntry[],
): Promise<Map<string, string>> {
  const saved = decisions.filter(({ latestVersion }) => latestVersion > 0);
  const programs = new Map<string, string>();
  for (let from = 0; from < saved.length; from += batchSize) {
    const pairs = saved.slice(from, from + batchSize).map(({ id, latestVersion }) => [idToBytes(id), latestVersion]);
    const rows = (await connection('versions')
      .select(columns)
      .where('workspace_id', idToBytes(workspaceId))
      .whereIn(['decision_id', 'version'], pairs)) as Row[];
    for (const { decisionId, programId } of rows.map(mapRow)) programs.set(decisionId, programId);
  }
  return programs;
}

export async function insertVersions(
  transaction: Knex.Transaction,
  workspaceId: string,
  versions: readonly NewVersion[],
): Promise<void> {
  const now = new Date();
  for (const batch of batches(versions, ({ manifest }) => manifest)) {
    await transaction('versions').insert(
      batch.map(({ decisionId, version, programId, manifest }) => ({
        decision_id: idToBytes(decisionId),
        version,
        workspace_id: idToBytes(workspaceId),
        program_id: Buffer.from(programId, 'hex'),
        manifest,
        created_at: now,
      })),
    );
  }
}
