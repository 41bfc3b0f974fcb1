import type { Knex } from 'knex';
import { idFromBytes, idToBytes } from '../../src/storage/ids.js';
import type { Caller } from '../support/http.js';
import { median, quantile } from './numbers.js';
import { recordedRows } from '../support/records.js';

/** How long pages of 50 took to come, by place in the list: milliseconds. */
export interface PageTimes {
  readonly list: string;
  readonly places: Readonly<Record<string, { readonly p50: number; readonly p99: number }>>;
}

const size = 50;
const rounds = 100;
const warmRounds = 5;
const dayMs = 24 * 60 * 60 * 1000;

/** The first page of each list, one in its middle, and the last full one. */
export async function measureLists(caller: Caller, database: Knex, workspaceId: string): Promise<PageTimes[]> {
  const all: PageTimes[] = [];
  for (const [table, order] of [
    ['environments', 'asc'],
    ['deployments', 'asc'],
    ['executions', 'desc'],
  ] as const) {
    const rows = (): Knex.QueryBuilder => database(table).where('workspace_id', idToBytes(workspaceId));
    const [{ total }] = (await rows().count({ total: '*' })) as [{ total: number }];
    const cursorAt = async (offset: number): Promise<string> => {
      const [row] = (await rows().select('id').orderBy('id', order).offset(offset).limit(1)) as { id: Buffer }[];
      return row === undefined ? '' : `&after=${row.id.toString('base64url')}`;
    };
    // Only lists that can be read backwards know `order`.
    const path = `/logic/${table}?size=${size}${order === 'asc' ? '' : `&order=${order}`}`;
    const middle = await cursorAt(Math.floor(total / 2));
    const last = await cursorAt(Math.max(0, total - size - 1));
    all.push(
      await timesOf(caller, `${path}, ${total} rows`, { first: path, middle: path + middle, last: path + last }),
    );
  }
  return all;
}

/** The first and the tenth page of GET /logic/executions by each filter, newest first. */
export async function measureFilters(caller: Caller, database: Knex, workspaceId: string): Promise<PageTimes[]> {
  const all: PageTimes[] = [];
  for (const [filter, query] of Object.entries(await filtersOf(database, workspaceId))) {
    const path = `/logic/executions?order=desc&size=${size}${query}`;
    let tenth = path;
    for (let page = 1; page < 10; page++) {
      const { after } = ((await caller.get(tenth)).body as { page: { after: string | null } }).page;
      if (after !== null) tenth = `${path}&after=${after}`;
    }
    all.push(await timesOf(caller, filter, { first: path, tenth }));
  }
  return all;
}

/** In turns, so that a disturbance of the machine hits no place alone. */
async function timesOf(caller: Caller, list: string, paths: Readonly<Record<string, string>>): Promise<PageTimes> {
  const times = new Map(Object.keys(paths).map((place) => [place, [] as number[]]));
  for (let round = -warmRounds; round < rounds; round++) {
    for (const [place, path] of Object.entries(paths)) {
      const start = performance.now();
      const { status, text } = await caller.get(path);
      if (status !== 200) throw new Error(text);
      if (round >= 0) times.get(place)?.push(performance.now() - start);
    }
  }
  const places = Array.from(times, ([place, each]) => {
    const p99 = quantile(
      each.toSorted((a, b) => a - b),
      0.99,
    );
    return [place, { p50: median(each), p99 }] as const;
  });
  return { list, places: Object.fromEntries(places) };
}

/** By name: what a query adds for the filter, of values that rows have. */
async function filtersOf(database: Knex, workspaceId: string): Promise<Record<string, string>> {
  const [row] = (await recordedRows(database)
    .where('workspace_id', idToBytes(workspaceId))
    .whereNotNull('reference')
    .orderBy('id')
    .limit(1)) as Record<'environment_id' | 'decision_id' | 'deployment_id' | 'request_id', Buffer>[];
  if (row === undefined) throw new Error('nothing was recorded');
  const day = (ago: number): string => new Date(Date.now() - ago * dayMs).toISOString();
  const filters = {
    environmentId: `&environmentId=${idFromBytes(row.environment_id)}`,
    decisionId: `&decisionId=${idFromBytes(row.decision_id)}`,
    deploymentId: `&deploymentId=${idFromBytes(row.deployment_id)}`,
    version: '&version=1',
    'status COMPLETED': '&status=COMPLETED',
    'from and to': `&from=${day(20)}&to=${day(10)}`,
  };
  return {
    none: '',
    ...filters,
    'a version that is not there': '&version=99',
    'status FAILED': '&status=FAILED',
    reference: '&reference=customer-7',
    requestId: `&requestId=${idFromBytes(row.request_id)}`,
    'all but reference and requestId': Object.values(filters).join(''),
  };
}
