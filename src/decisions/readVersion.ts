import type { Knex } from 'knex';
import { Problem } from '../errors.js';
import type { Reservation } from '../admission/byteBudget.js';
import { readContentBytes, readContents, readSizes } from './contents.store.js';
import { requireDecision } from './decisions.store.js';
import type { WorkspaceReader } from './workspaceReader.js';
import type { DecisionEntry } from './decisionIndex.js';
import { reachOf } from './writing/manifest.js';
import type { AnyVersion } from './routes/representation.js';
import { dependenciesOf } from './writing/planVersions.js';
import { findVersion, listDependencies, type Dependency } from './versions.store.js';

/** Dependencies of reading versions. */
export interface Reading extends WorkspaceReader {
  readonly database: Knex;
}

interface Named {
  readonly workspaceId: string;
  readonly id: string;
  readonly version: number;
}

/** @throws Problem `decision_not_found`, `version_not_found` */
export async function readVersion(database: Knex, { workspaceId, id, version }: Named): Promise<AnyVersion> {
  const found = version === 0 ? undefined : await findVersion(database, workspaceId, id, version);
  if (found !== undefined) return found;
  const decision = await requireDecision(database, workspaceId, id);
  if (version !== 0) throw new Problem('version_not_found', `Decision ${id} has no version ${version}.`);
  return workingCopy(decision);
}

const workingCopy = ({ id, contentHash, updatedAt }: DecisionEntry): AnyVersion => ({
  decisionId: id,
  version: 0,
  contentHash,
  message: null,
  savedBy: null,
  createdAt: updatedAt,
});

/** The text of a content (JSON). The reservation is charged for it before it is read. @throws Problem `overloaded` */
export async function contentText(
  database: Knex,
  hash: string,
  reservation: Pick<Reservation, 'grow'>,
): Promise<string> {
  await chargeContents(database, [hash], reservation);
  const text = (await readContents(database, [hash])).get(hash);
  if (text === undefined) throw new Error(`content ${hash} is not stored`);
  return text;
}

/**
 * The bytes of contents, by their hashes. The reservation is charged for all of them before the first is read, so that none
 * is read in vain. @throws Problem `overloaded`
 */
export async function contentBytes(
  database: Knex,
  hashes: readonly string[],
  reservation: Pick<Reservation, 'grow'>,
): Promise<(hash: string) => Uint8Array> {
  await chargeContents(database, hashes, reservation);
  const found = await readContentBytes(database, hashes);
  return (hash) => {
    const bytes = found.get(hash);
    if (bytes === undefined) throw new Error(`content ${hash} is not stored`);
    return bytes;
  };
}

async function chargeContents(
  database: Knex,
  hashes: readonly string[],
  reservation: Pick<Reservation, 'grow'>,
): Promise<void> {
  const sizes = await readSizes(database, hashes);
  // Each is put into an answer or a message to a thread, too.
  reservation.grow(2 * hashes.reduce((sum, hash) => sum + (sizes.get(hash) ?? 0), 0));
}

/** All that a version can reach; of the working copy, what is there now. */
export async function readDependencies(
  { database, decisionIndexOf, namesOf }: Reading,
  workspaceId: string,
  { decisionId, version, contentHash }: AnyVersion,
): Promise<Dependency[]> {
  if (version > 0) return listDependencies(database, workspaceId, decisionId, version);
  if ((await namesOf([contentHash])).get(contentHash)?.length === 0) return [];
  const decisionIndex = decisionIndexOf(workspaceId);
  await decisionIndex.read({ ids: [decisionId] });
  const root = decisionIndex.find(decisionId);
  return root === undefined ? [] : dependenciesOf(await reachOf({ ...root, contentHash }, decisionIndex, namesOf));
}
