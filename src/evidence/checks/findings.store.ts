import { createHash } from 'node:crypto';
import type { Knex } from 'knex';
import { batches } from '../../storage/batches.js';
import { Fields, id, idOrNull, plain, time, timeOrNull } from '../../storage/columns.js';
import { type Connection, now } from '../../storage/database.js';
import { idToBytes, newId } from '../../storage/ids.js';
import { limitTo, pageOf, type Page, type PageRequest } from '../../storage/pages.js';
import type { Finding } from '../check.js';
import type { EvidenceFinding } from '../evidence.schema.js';

const fields = new Fields<EvidenceFinding>({
  id: id(),
  kind: plain('kind'),
  subjectId: idOrNull('subject_id'),
  detail: plain('detail'),
  foundAt: time('found_at'),
  seenAt: time('seen_at'),
  clearedAt: timeOrNull('cleared_at'),
});

/** By what a finding is known again: the same is told once, however often it is found. */
const placeOf = ({ kind, id: subject, detail }: Finding): Buffer =>
  createHash('sha256')
    .update(JSON.stringify([kind, subject, detail]))
    .digest();

const longestDetail = 500;

/**
 * Writes what a whole check has found; what was found earlier and is not any more is cleared.
 * @returns those that are new
 */
export async function writeFindings(
  transaction: Knex.Transaction,
  workspaceId: string,
  findings: readonly Finding[],
): Promise<Finding[]> {
  const owner = { workspace_id: idToBytes(workspaceId) };
  const places = new Map(findings.map((finding) => [placeOf(finding).toString('hex'), finding]));
  const open = (await transaction('evidence_findings').where(owner).whereNull('cleared_at').pluck('place')) as Buffer[];
  const known = new Set(open.map((place) => place.toString('hex')));
  await transaction('evidence_findings')
    .where(owner)
    .whereNull('cleared_at')
    .update({ cleared_at: transaction.raw(now) });
  const rows = Array.from(places, ([place, { kind, id: subject, detail }]) => ({
    ...owner,
    id: idToBytes(newId()),
    kind,
    subject_id: subject === null ? null : idToBytes(subject),
    detail: detail.slice(0, longestDetail),
    place: Buffer.from(place, 'hex'),
    found_at: transaction.raw(now),
    seen_at: transaction.raw(now),
  }));
  for (const batch of batches(rows))
    await transaction('evidence_findings')
      .insert(batch)
      .onConflict(['workspace_id', 'place'])
      .merge({ seen_at: transaction.raw(now), cleared_at: null });
  await transaction('evidence_trees')
    .where(owner)
    .update({ checked_at: transaction.raw(now) });
  return [...places].filter(([place]) => !known.has(place)).map(([, finding]) => finding);
}

/** A page of what was found in a workspace, also of what is not found any more. */
export async function pageOfFindings(
  connection: Connection,
  workspaceId: string,
  request: PageRequest,
): Promise<Page<EvidenceFinding>> {
  const own = connection('evidence_findings').where('workspace_id', idToBytes(workspaceId));
  const rows = (await limitTo(own.clone(), 'id', request)) as object[];
  const [counted] =
    request.uncounted === true ? [] : await own.clone().count<{ total: number | string }[]>({ total: '*' });
  const total = Number(counted?.total ?? 0);
  return pageOf(rows.map(fields.map), request, { total, cursorOf: (finding) => idToBytes(finding.id) });
}

/** What is found in any workspace, and not cleared. */
export async function countOpenFindings(connection: Connection): Promise<number> {
  const [row] = await connection('evidence_findings')
    .whereNull('cleared_at')
    .count<{ total: number | string }[]>({ total: '*' });
  return Number(row?.total ?? 0);
}

/** When the workspace was last checked to the end; null before the first time. */
export async function checkedAt(connection: Connection, workspaceId: string): Promise<string | null> {
  const [row] = await connection('evidence_trees')
    .where('workspace_id', idToBytes(workspaceId))
    .select<{ checked_at: Date | null }[]>('checked_at');
  return row?.checked_at?.toISOString() ?? null;
}
