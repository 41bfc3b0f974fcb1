import type { Knex } from 'knex';
import type { Connection } from '../storage/database.js';
import { idToBytes } from '../storage/ids.js';
import { inIdOrder } from '../storage/indexHints.js';
import { chargePage, limitTo, pageOf, textsIn, type Page, type PageRequest } from '../storage/pages.js';
import { decisionFields, requireDecision } from './decisions.store.js';
import type { DecisionEntry } from './decisionIndex.js';
import { versionFields, type Version } from './versions.store.js';

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
  // One statement, so that page, total and revision are consistent.
  const reading = decisionRows(connection, workspaceId, request)
    .select(decisionFields.names)
    .select(countedColumns(connection, workspaceId));
  const rows = (await reading) as Counted[];
  const counted = rows[0] ?? (await countDecisions(connection, workspaceId));
  return decisionPage(rows.map(decisionFields.map), request, counted);
}

/** The rows of a page, in the order in which they are read: those before a cursor in reverse. */
export function decisionRows(
  connection: Connection,
  workspaceId: string,
  request: DecisionsRequest,
): Knex.QueryBuilder {
  const indexed = request.by === 'id' ? inIdOrder(connection, 'decisions') : inKeyOrder(connection);
  const rows = connection(indexed).where('workspace_id', idToBytes(workspaceId));
  if (request.by === 'id') return limitTo(rows, 'id', request);
  if (request.key !== undefined) rows.where('decision_key', request.key);
  if (request.prefix !== undefined) rows.where('decision_key', 'like', `${escaped(request.prefix)}%`);
  return limitTo(rows, 'decision_key', request);
}

/** The envelope of decisions that were read in the order of `decisionRows`. */
export function decisionPage(
  read: readonly DecisionEntry[],
  request: DecisionsRequest,
  counted: Counted | undefined,
): DecisionsPage {
  const page = pageOf(read, request, {
    total: counted?.page_total ?? 0,
    cursorOf: (entry) => (request.by === 'id' ? idToBytes(entry.id) : Buffer.from(entry.key)),
  });
  return { ...page, revision: Number(counted?.page_revision ?? 0) };
}

function countedColumns(connection: Connection, workspaceId: string): Record<keyof Counted, Knex.QueryBuilder> {
  const kept = (column: string): Knex.QueryBuilder =>
    connection('workspaces')
      .select(column)
      .where({ id: idToBytes(workspaceId) });
  return { page_total: kept('decisions_count'), page_revision: kept('decisions_revision') };
}

/** The number of a workspace's decisions, and its revision. */
export async function countDecisions(connection: Connection, workspaceId: string): Promise<Counted | undefined> {
  const [counted] = (await connection('workspaces')
    .select({ page_total: 'decisions_count', page_revision: 'decisions_revision' })
    .where({ id: idToBytes(workspaceId) })) as Counted[];
  return counted;
}

const inKeyOrder = (connection: Connection): Knex.Raw => connection.raw('decisions FORCE INDEX (decisions_key)');

/** Escapes a text for LIKE. */
export const escaped = (text: string): string => text.replaceAll(/[\\%_]/g, '\\$&');

/** Of 4,000 characters. */
const longestMessage = 16_000;

/** A page of a decision's saved versions, by number; undefined when there is no such decision. */
export async function listVersionPage(
  connection: Connection,
  { workspaceId, decisionId }: { readonly workspaceId: string; readonly decisionId: string },
  request: PageRequest<number>,
): Promise<Page<Version>> {
  const decision = await requireDecision(connection, workspaceId, decisionId);
  const reading = connection('versions')
    .select(versionFields.names)
    .where({ workspace_id: idToBytes(workspaceId), decision_id: idToBytes(decisionId) });
  await chargePage(reading, request, { column: 'version', texts: textsIn(connection, ['message'], longestMessage) });
  const versions = ((await limitTo(reading, 'version', request)) as object[]).map(versionFields.map);
  // Versions are numbered without gaps.
  const total = Math.max(decision.latestVersion, versions.at(request.before === null ? -1 : 0)?.version ?? 0);
  return pageOf(versions, request, { total, cursorOf: ({ version }) => versionBytes(version) });
}

function versionBytes(version: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(version);
  return bytes;
}
