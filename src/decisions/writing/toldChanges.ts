import type { Knex } from 'knex';
import type { ModelWork } from '../../../workers/models/index.js';
import { contentBytes } from '../readVersion.js';
import { finished } from '../programs/finished.js';
import type { Caller, Candidate } from './checkContents.js';

/** What changed of a node, as the audit trail tells it: how much, and never what. */
export interface ToldChange {
  readonly node: string;
  /** Of a table; 0 where something else changed. */
  readonly cells: number;
}

/** More nodes than a sentence names. */
const maxTold = 20;

/**
 * What a write changes of a working copy, which nothing keeps once the next write is there. It is told where it can be found
 * out: no write fails for want of a thread or of memory for it.
 */
export async function toldChanges(
  { database, pool }: { readonly database: Knex; readonly pool: ModelWork },
  { workspaceId, reservation }: Caller,
  { from, to }: { readonly from: string; readonly to: Candidate['document'] },
): Promise<readonly ToldChange[]> {
  if (from === to.hash || reservation === undefined) return [];
  try {
    const bytesOf = await contentBytes(database, [from], reservation);
    const after = typeof to.text === 'string' ? new TextEncoder().encode(to.text) : to.text;
    const answer = finished(await pool.work(workspaceId, { kind: 'changesInWords', from: bytesOf(from), to: after }));
    return answer.changes.slice(0, maxTold).map(({ node, cells }) => ({ node, cells }));
  } catch {
    return [];
  }
}
