import type { Knex } from 'knex';
import type { ModelWork } from '../../../workers/models/index.js';
import { contentBytes } from '../readVersion.js';
import { requireFinished } from '../programs/requireFinished.js';
import type { Caller, Candidate } from './checkContents.js';

/** How much of a node changed, as the audit trail shows it; never what changed. */
export interface AuditedChange {
  readonly node: string;
  /** Changed cells of a table; 0 where something else changed. */
  readonly cells: number;
}

/** Nodes that an entry names; more would not fit a sentence. */
const maxNodes = 20;

/**
 * Finds what a write changes of a working copy: no earlier state is kept, so it cannot be found later. Empty where no thread or
 * memory is free for it, because no write is to fail for the sake of its entry.
 */
export async function auditedChanges(
  { database, models }: { readonly database: Knex; readonly models: ModelWork },
  { workspaceId, reservation }: Caller,
  { from, to }: { readonly from: string; readonly to: Candidate['document'] },
): Promise<readonly AuditedChange[]> {
  if (from === to.hash || reservation === undefined) return [];
  try {
    const bytesOf = await contentBytes(database, [from], reservation);
    const after = typeof to.text === 'string' ? new TextEncoder().encode(to.text) : to.text;
    const answer = requireFinished(
      await models.work(workspaceId, { kind: 'changesInWords', from: bytesOf(from), to: after }),
    );
    return answer.changes.slice(0, maxNodes).map(({ node, cells }) => ({ node, cells }));
  } catch {
    return [];
  }
}
