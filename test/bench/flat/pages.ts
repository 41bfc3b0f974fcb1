import type { Knex } from 'knex';
import { idToBytes } from '../../../src/storage/ids.js';
import { call } from '../../support/http.js';
import type { ServerProcess } from '../../support/process.js';
import { logicHeaders, type Scene } from '../../support/scene.js';
import { median } from '../quantile.js';

/** Pages of 50 of one list: median milliseconds by place in the list. */
export interface PageTimes {
  readonly list: string;
  readonly rows: number;
  readonly first: number;
  readonly middle: number;
  readonly last: number;
}

const size = 50;
const rounds = 60;
const places = ['first', 'middle', 'last'] as const;

/** The lists of the API, each as it is asked for most. */
export async function measurePages(server: ServerProcess, scene: Scene, database: Knex): Promise<PageTimes[]> {
  const all: PageTimes[] = [];
  for (const [table, order] of [
    ['environments', 'asc'],
    ['deployments', 'asc'],
    ['executions', 'desc'],
  ] as const) {
    const cursors = await cursorsOf(database, table, scene.workspaceId, order);
    // Only lists that can be read backwards know `order`.
    const path = `${server.baseUrl}/logic/${table}?size=${size}${order === 'asc' ? '' : `&order=${order}`}`;
    all.push(
      await measure(`GET /logic/${table}`, cursors, async (id) => {
        const after = id === null ? '' : `&after=${id.toString('base64url')}`;
        const { status, text } = await call(path + after, { headers: logicHeaders(scene) });
        if (status !== 200) throw new Error(text);
      }),
    );
  }
  return all;
}

interface Cursors {
  readonly rows: number;
  readonly middle: Buffer | null;
  readonly last: Buffer | null;
}

/** The items after which the page in the middle, and the last full page, begin. */
async function cursorsOf(database: Knex, table: string, workspaceId: string, order: 'asc' | 'desc'): Promise<Cursors> {
  const all = (): Knex.QueryBuilder => database(table).where('workspace_id', idToBytes(workspaceId));
  const [{ total }] = (await all().count({ total: '*' })) as [{ total: number }];
  const at = async (offset: number): Promise<Buffer | null> => {
    const [row] = (await all().select('id').orderBy('id', order).offset(offset).limit(1)) as { id: Buffer }[];
    return row?.id ?? null;
  };
  return { rows: total, middle: await at(Math.floor(total / 2)), last: await at(Math.max(0, total - size - 1)) };
}

/** In turns, so that a disturbance of the machine hits no place alone. */
async function measure(
  list: string,
  cursors: Cursors,
  read: (after: Buffer | null) => Promise<void>,
): Promise<PageTimes> {
  const times = { first: [] as number[], middle: [] as number[], last: [] as number[] };
  for (let round = -5; round < rounds; round++) {
    for (const place of places) {
      const start = performance.now();
      await read(place === 'first' ? null : cursors[place]);
      if (round >= 0) times[place].push(performance.now() - start);
    }
  }
  return {
    list,
    rows: cursors.rows,
    first: median(times.first),
    middle: median(times.middle),
    last: median(times.last),
  };
}
