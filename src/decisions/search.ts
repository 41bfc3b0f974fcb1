import type { Knex } from 'knex';
import type { ModelWork } from '../../workers/models/index.js';
import type { LogicRequest } from '../api/logicRoute.js';
import { Problem } from '../errors.js';
import { partOfRequest, type Scheduler } from '../admission/scheduler.js';
import { readContents } from './contents.store.js';
import type { DecisionEntry } from './decisionIndex.js';
import { decisionFields } from './decisions.store.js';
import { chunks } from '../storage/batches.js';
import { idToBytes } from '../storage/ids.js';
import {
  countDecisions,
  decisionPage,
  decisionRows,
  escaped,
  type DecisionsPage,
  type DecisionsRequest,
} from './decisionLists.js';

export interface SearchDependencies {
  readonly database: Knex;
  readonly models: ModelWork;
  readonly scheduler: Pick<Scheduler, 'yieldToLive'>;
}

type Searcher = Pick<LogicRequest<unknown, unknown, unknown>, 'workspaceId' | 'reservation' | 'gone'>;

/** A decision, with the bytes of its model. */
type Row = DecisionEntry & { readonly bytes: number };

/** Decisions that are looked at in one statement, and bytes of their models; one larger model is a piece of its own. */
const piece = { decisions: 200, bytes: 8 * 1024 * 1024 };
/** Milliseconds for which one request looks: a workspace may have more models than that. */
const maxMs = 10_000;

/**
 * A page of the decisions that have a text in their key, or in their working copy: in the names of nodes, fields, cells,
 * expressions, conditions and functions. MySQL tells which models have it anywhere in their JSON, and a thread where it is.
 * Models are looked at in pieces, which give way to live work, until the page is full, the caller is gone or all were seen.
 * @throws Problem `overloaded` where the workspace's models are too many for one search
 */
export async function searchDecisions(
  { database, models, scheduler }: SearchDependencies,
  caller: Searcher,
  { search, request }: { readonly search: string; readonly request: DecisionsRequest },
): Promise<DecisionsPage> {
  const { workspaceId, reservation, gone } = caller;
  const until = performance.now() + maxMs;
  const found: Row[] = [];
  let rest: DecisionsRequest = { ...request, size: piece.decisions };
  for (let isEnd = false; !isEnd && found.length < request.size && !gone();) {
    if (performance.now() > until)
      throw new Problem('overloaded', 'The search takes too long. Limit it to some keys by `prefix`.');
    const rows = await nextRows(database, workspaceId, rest);
    isEnd = rows.length < piece.decisions;
    for (const some of chunks(rows, ({ bytes }) => bytes, { size: piece.bytes })) {
      if (found.length >= request.size || gone()) break;
      const look = (): Promise<readonly Row[]> => within(some);
      found.push(...(await scheduler.yieldToLive(workspaceId, look, partOfRequest)));
    }
    const last = rows.at(-1);
    if (last !== undefined) rest = beyond(rest, last);
  }
  return decisionPage(found.slice(0, request.size), request, await countDecisions(database, workspaceId));

  /** The rows of a piece whose decisions have the text. */
  async function within(some: readonly Row[]): Promise<readonly Row[]> {
    const byKey = new Set(some.filter(({ key }) => isIn(key, search)));
    const candidates = await havingText(
      database,
      some.filter((row) => !byKey.has(row)),
      search,
    );
    const bytes = 2 * candidates.reduce((sum, row) => sum + row.bytes, 0);
    reservation.grow(bytes);
    try {
      const contents = await readContents(
        database,
        candidates.map(({ contentHash }) => contentHash),
      );
      const texts = candidates.map((row) => contents.get(row.contentHash) ?? '{}');
      const answer = await models.work(workspaceId, { kind: 'find', texts, search });
      if ('reason' in answer) throw new Problem('overloaded', 'A model is too large to be searched right now.');
      const having = new Set(candidates.filter((_, at) => answer.found[at]));
      return some.filter((row) => byKey.has(row) || having.has(row));
    } finally {
      reservation.shrink(bytes);
    }
  }
}

const isIn = (text: string, search: string): boolean => text.toLowerCase().includes(search.toLowerCase());

/** The next decisions, with the bytes of their models. */
async function nextRows(database: Knex, workspaceId: string, request: DecisionsRequest): Promise<Row[]> {
  const bytes = database('contents as c').select('c.bytes').whereRaw('c.hash = content_hash');
  const rows: Knex.QueryBuilder = decisionRows(database, workspaceId, request)
    .select(decisionFields.names)
    .select({ bytes });
  return ((await rows) as { bytes: number }[]).map((row) => ({ ...decisionFields.map(row), bytes: row.bytes }));
}

/** The same list from behind a decision on, in the direction in which it is read. */
function beyond(request: DecisionsRequest, last: Row): DecisionsRequest {
  const side = request.before === null ? 'after' : 'before';
  return request.by === 'id' ? { ...request, [side]: idToBytes(last.id) } : { ...request, [side]: last.key };
}

/** The decisions whose model has the text somewhere in its JSON, where it may also be a member's name. */
async function havingText(database: Knex, rows: readonly Row[], search: string): Promise<Row[]> {
  if (rows.length === 0) return [];
  const patterns = writtenAs(search).map((text) => `%${escaped(JSON.stringify(text).slice(1, -1))}%`);
  const hashes = (await database('contents')
    .whereIn(
      'hash',
      rows.map(({ contentHash }) => Buffer.from(contentHash, 'hex')),
    )
    .where((query) => {
      for (const pattern of patterns) void query.orWhereRaw('body COLLATE utf8mb4_general_ci LIKE ?', [pattern]);
    })
    .pluck('hash')) as Buffer[];
  const having = new Set(hashes.map((hash) => hash.toString('hex')));
  return rows.filter((row) => having.has(row.contentHash));
}

/** How JSON may have a text: as it is, or as XML writes it, where any letter may be a reference by its number. */
function writtenAs(search: string): string[] {
  const least = search.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  const most = least.replaceAll('>', '&gt;');
  return [...new Set([search, least, most, most.replaceAll('"', '&quot;').replaceAll("'", '&apos;'), '&#'])];
}
