import type { Knex } from 'knex';
import { batches } from '../storage/batches.js';
import { Fields, hex, id, plain } from '../storage/columns.js';
import type { Connection } from '../storage/database.js';
import { idFromBytes, idToBytes } from '../storage/ids.js';
import type { DecisionEntry } from './decisionIndex.js';

/** An immutable snapshot of a decision and all that it can reach. */
export interface Version {
  readonly decisionId: string;
  readonly version: number;
  /** SHA-256 (hex) of the manifest. */
  readonly programId: string;
  /** SHA-256 (hex) of the decision's own content. */
  readonly contentHash: string;
  readonly message: string | null;
  /** The principal who saved it. */
  readonly savedBy: string;
  readonly createdAt: Date;
}

/** A decision that a version pins, as it was when the version was saved. */
export interface Dependency {
  readonly key: string;
  readonly decisionId: string;
  readonly contentHash: string;
}

/** A version about to be stored. */
export interface NewVersion {
  readonly decisionId: string;
  readonly version: number;
  readonly programId: string;
  /** As canonical JSON. */
  readonly manifest: string;
  readonly contentHash: string;
  readonly message: string | null;
  /** All that it can reach, without itself, in the order of the manifest. */
  readonly dependencies: readonly Dependency[];
}

export const versionFields = new Fields<Version>({
  decisionId: id('decision_id'),
  version: plain('version'),
  programId: hex('program_id'),
  contentHash: hex('content_hash'),
  message: plain('message'),
  savedBy: plain('saved_by'),
  createdAt: plain('created_at'),
});

/** A principal's name, cut to the column's length. */
export const savedByOf = (principal: string): string => principal.slice(0, 255);

export async function findVersion(
  connection: Connection,
  workspaceId: string,
  decisionId: string,
  version: number,
): Promise<Version | undefined> {
  const [row] = (await connection('versions')
    .select(versionFields.names)
    .where({ workspace_id: idToBytes(workspaceId), decision_id: idToBytes(decisionId), version })) as object[];
  return row && versionFields.map(row);
}

/** What a version pins besides its own content, in the order of its manifest. */
export async function listDependencies(
  connection: Connection,
  workspaceId: string,
  decisionId: string,
  version: number,
): Promise<Dependency[]> {
  const rows = (await connection('version_dependencies')
    .select('dependency_id', 'dependency_key', 'content_hash')
    .where({ workspace_id: idToBytes(workspaceId), decision_id: idToBytes(decisionId), version })
    .orderBy('position')) as { dependency_id: Buffer; dependency_key: string; content_hash: Buffer }[];
  return rows.map((row) => ({
    key: row.dependency_key,
    decisionId: idFromBytes(row.dependency_id),
    contentHash: row.content_hash.toString('hex'),
  }));
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
  decisions: readonly DecisionEntry[],
): Promise<Map<string, string>> {
  const saved = decisions.filter(({ latestVersion }) => latestVersion > 0);
  const programs = new Map<string, string>();
  for (const some of batches(saved)) {
    const pairs = some.map(({ id, latestVersion }) => [idToBytes(id), latestVersion]);
    const rows = (await connection('versions')
      .select(versionFields.names)
      .where('workspace_id', idToBytes(workspaceId))
      .whereIn(['decision_id', 'version'], pairs)) as object[];
    for (const { decisionId, programId } of rows.map(versionFields.map)) programs.set(decisionId, programId);
  }
  return programs;
}

export async function insertVersions(
  transaction: Knex.Transaction,
  workspaceId: string,
  versions: readonly NewVersion[],
  { savedBy, at }: { readonly savedBy: string; readonly at: Date },
): Promise<void> {
  const workspace_id = idToBytes(workspaceId);
  for (const batch of batches(versions, ({ manifest }) => manifest)) {
    await transaction('versions').insert(
      batch.map((version) => ({
        ...{ workspace_id, manifest: version.manifest },
        ...versionFields.toRow({ ...version, savedBy, createdAt: at }),
      })),
    );
  }
  for (const batch of batches(versions.flatMap(dependencyRows))) {
    await transaction('version_dependencies').insert(batch.map((row) => ({ ...row, workspace_id })));
  }
}

const dependencyRows = ({ decisionId, version, dependencies }: NewVersion): object[] =>
  dependencies.map((dependency, index) => ({
    decision_id: idToBytes(decisionId),
    version,
    position: index + 1,
    dependency_id: idToBytes(dependency.decisionId),
    dependency_key: dependency.key,
    content_hash: Buffer.from(dependency.contentHash, 'hex'),
  }));
