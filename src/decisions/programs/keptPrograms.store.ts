import type { Knex } from 'knex';
import type { Manifest } from '../../../workers/protocol.js';
import { batches } from '../../storage/batches.js';
import { inTransaction, type Connection } from '../../storage/database.js';
import { idToBytes } from '../../storage/ids.js';

/** Stores the program of a working copy, or notes that it is in use still, and with it holds its contents. */
export function keepProgram(
  database: Knex,
  workspaceId: string,
  { programId, manifest }: { readonly programId: string; readonly manifest: string },
): Promise<void> {
  const named = { workspace_id: idToBytes(workspaceId), program_id: Buffer.from(programId, 'hex') };
  const { entries } = JSON.parse(manifest) as Manifest;
  const hashes = [...new Set(entries.map(({ content }) => content))].sort();
  return inTransaction(database, async (transaction) => {
    await transaction('kept_programs')
      .insert({ ...named, manifest, used_at: new Date() })
      .onConflict(['workspace_id', 'program_id'])
      .merge(['used_at']);
    for (const batch of batches(hashes)) {
      const rows = batch.map((hash) => ({ ...named, content_hash: Buffer.from(hash, 'hex') }));
      await transaction('kept_program_contents')
        .insert(rows)
        .onConflict(['workspace_id', 'program_id', 'content_hash'])
        .ignore();
    }
  });
}

/** The manifest (JSON) of a working copy's program; undefined when it is not kept. */
export async function findKeptManifest(
  connection: Connection,
  workspaceId: string,
  programId: string,
): Promise<string | undefined> {
  const [row] = (await connection('kept_programs')
    .select('manifest')
    .where({ workspace_id: idToBytes(workspaceId), program_id: Buffer.from(programId, 'hex') })) as {
    manifest: string;
  }[];
  return row?.manifest;
}

/** Rows of one statement, so that none holds locks for long. */
const chunkSize = 500;

/** Deletes what was last used before then; its contents are not held any more. */
export async function deleteProgramsUsedBefore(database: Knex, workspaceId: string, time: Date): Promise<void> {
  for (let deleted = chunkSize; deleted === chunkSize;) {
    deleted = await inTransaction(database, (transaction) =>
      transaction('kept_programs')
        .where('workspace_id', idToBytes(workspaceId))
        .where('used_at', '<', time)
        .limit(chunkSize)
        .delete(),
    );
  }
}
