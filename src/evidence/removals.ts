import type { KeyObject } from 'node:crypto';
import { createPause } from '../admission/pause.js';
import { auditActionEntries } from '../audit/audit.store.js';
import type { Connection } from '../storage/database.js';
import { idTime } from '../storage/ids.js';
import { environmentMac } from './environmentMac.js';
import type { Leaf } from './leaves.store.js';
import type { Kind } from './subjects.store.js';

/** A span of time of which a prune or a retention has removed the records, as its audit entry tells. */
interface Removal {
  readonly from: number;
  readonly before: number;
  /** Undefined: of all. */
  readonly environmentId: string | undefined;
}

/** The same as audit entries have it, with times as texts. */
interface Told {
  readonly from?: string;
  readonly before?: string;
  readonly environmentId?: string;
}

/** Whether an entry of the audit trail tells that the record of a leaf was removed. */
export type IsRemoved = (leaf: Leaf) => Promise<boolean>;

/** @param keys all that ever signed heads, opened */
export async function createIsRemoved(
  connection: Connection,
  workspaceId: string,
  keys: readonly KeyObject[],
): Promise<IsRemoved> {
  const removals: Record<Kind, readonly Removal[]> = {
    execution: await readRemovals(connection, workspaceId, 'execution.prune'),
    audit_entry: await readRemovals(connection, workspaceId, 'audit_entry.prune'),
  };
  const isOf = ({ subjectId, environmentMac: mac }: Leaf, environmentId: string): boolean =>
    mac !== null && keys.some((key) => environmentMac(key, { workspaceId, subjectId, environmentId }).equals(mac));
  const pause = createPause();
  return async (leaf) => {
    const time = idTime(leaf.subjectId).getTime();
    for (const { from, before, environmentId } of removals[leaf.kind]) {
      if (time < from || time >= before) continue;
      if (environmentId === undefined || isOf(leaf, environmentId)) return true;
      // A workspace may have thousands of environments that gave up the same day.
      await pause();
    }
    return false;
  };
}

/** The removals; of those of an environment that begin at the same time only the longest, since retention writes one each hour. */
async function readRemovals(connection: Connection, workspaceId: string, action: string): Promise<Removal[]> {
  const takenBack = action === 'execution.prune' ? await readTakenBack(connection, workspaceId) : undefined;
  const removals = new Map<string, Removal>();
  for await (const { id, after } of auditActionEntries(connection, workspaceId, action)) {
    if (id < (takenBack?.get(textOf(after as Told)) ?? '')) continue;
    const { from: begin = '1970-01-01', before: end = '', environmentId } = after as Told;
    const from = Date.parse(begin);
    // Records that are later than the entry were not removed by it.
    const before = Math.min(Date.parse(end), idTime(id).getTime());
    const key = `${from} ${environmentId}`;
    if (before > (removals.get(key)?.before ?? -1)) removals.set(key, { from, before, environmentId });
  }
  return [...removals.values()];
}

const textOf = ({ from, before, environmentId }: Told): string => `${from} ${before} ${environmentId}`;

/** Removals that were told and given up, with the id of the last entry that says so. */
async function readTakenBack(connection: Connection, workspaceId: string): Promise<Map<string, string>> {
  const takenBack = new Map<string, string>();
  for await (const { id, after } of auditActionEntries(connection, workspaceId, 'execution.keep'))
    takenBack.set(textOf(after as Told), id);
  return takenBack;
}
