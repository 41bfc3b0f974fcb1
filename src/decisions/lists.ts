import type { Knex } from 'knex';
import type { Connection } from '../storage/database.js';
import { idToBytes } from '../storage/ids.js';
import { inIdOrder } from '../storage/indexHints.js';
import { chargePage, limitTo, pageOf, textsIn, type Page, type PageRequest } from '../storage/pages.js';
import { decisionColumns, findDecision, mapDecision } from './decisions.store.js';
import type { DecisionEntry } from './decisionIndex.js';
import { mapVersion, versionColumns, type Version } from './versions.store.js';

/** Which decisions, and in which order. */
export type DecisionsRequest =
  | ({ readonly by: 'id' } & PageRequest)
  | ({
      readonly by: 'key';
      /** Only the decision of that key. */
      readonly key: string | undefined;
      /** Only keys that begin so. */
      readonly prefix: string | undefined;
    } & PageRequest<string>);

export interface DecisionsPage extends Page<DecisionEntry> {
  /** The workspace's revision when the page was read. */
  readonly revision: number;
}

interface Counted {
  readonly page_total: number;
  readonly page_revision: number | string;
}

/**
 * A page of decisions, by id or by key. Each page costs the same, however many decisions there are: their number is kept
 * with the workspace. `total` is that number, whatever the filter.
 */
export async function listDecisionPage(
  connection: Connection,
  workspaceId: string,
  request: DecisionsRequest,
): Promise<DecisionsPage> {
  const id = idToBytes(workspaceId);
  const kept = (column: string): Knex.QueryBuilder => connection('workspaces').select(column).where({ id });
  // One statement, so that page, total and revision are consistent.
  const reading = connection(request.by === 'id' ? inIdOrder(connection, 'decisions') : inKeyOrder(connection))
    .select(decisionColumns)
    .select({ page_total: kept('decisions_count'), page_revision: kept('decisions_revision') })
    .where('workspace_id', id);
  if (request.by === 'id') limitTo(reading, 'id', request);
  else {
    if (request.key !== undefined) reading.where('decision_key', request.key);
    if (request.prefix !== undefined) reading.where('decision_key', 'like', `${escaped(request.prefix)}%`);
    limitTo(reading, 'decision_key', request);
  }
  const rows = (await reading) as (Parameters<typeof mapDecision>[0] & Counted)[];
  const [counted] = rows.length > 0 ? rows : await countedAlone(connection, id);
  const page = pageOf(rows.map(mapDecision), request, {
    total: counted?.page_total ?? 0,
    cursorOf: (entry) => (request.by === 'id' ? idToBytes(entry.id) : Buffer.from(entry.key)),
  });
  return { ...page, revision: Number(counted?.page_revision ?? 0) };
}

const inKeyOrder = (connection: Connection): Knex.Raw => connection.raw('decisions FORCE INDEX (decisions_key)');

const countedAlone = async (connection: Connection, id: Buffer): Promise<Counted[]> =>
  connection('workspaces').select({ page_total: 'decisions_count', page_revision: 'decisions_revision' }).where({ id });

/** Escapes a prefix for LIKE. */
const escaped = (prefix: string): string => prefix.replaceAll(/[\\%_]/g, '\\$&');

/** Of 4,000 characters. */
const longestMessage = 16_000;

/** A page of a decision's saved versions, by number; undefined when there is no such decision. */
export async function listVersionPage(
  connection: Connection,
  { workspaceId, decisionId }: { readonly workspaceId: string; readonly decisionId: string },
  request: PageRequest<number>,
): Promise<Page<Version> | undefined> {
  const decision = await findDecision(connection, workspaceId, decisionId);
  if (decision === undefined) return undefined;
  const reading = connection('versions')
    .select(versionColumns)
    .where({ workspace_id: idToBytes(workspaceId), decision_id: idToBytes(decisionId) });
  await chargePage(reading, request, { column: 'version', texts: textsIn(connection, ['message'], longestMessage) });
  const rows = (await limitTo(reading, 'version', request)) as Parameters<typeof mapVersion>[0][];
  // Versions are numbered without gaps.
  const total = Math.max(decision.latestVersion, rows.at(request.before === null ? -1 : 0)?.version ?? 0);
  return pageOf(rows.map(mapVersion), request, { total, cursorOf: ({ version }) => versionBytes(version) });
}

function versionBytes(version: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(version);
  return bytes;
}
