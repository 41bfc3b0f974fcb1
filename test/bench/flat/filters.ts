import type { Knex } from 'knex';
import { idFromBytes, idToBytes } from '../../../src/storage/ids.js';
import { call } from '../../support/http.js';
import type { ServerProcess } from '../../support/process.js';
import { logicHeaders, type Scene } from '../../support/scene.js';
import { quantile } from '../quantile.js';

/** Pages of 50 of the history by one filter: milliseconds that 99 of 100 requests stayed below. */
export interface FilterTimes {
  readonly filter: string;
  readonly first: number;
  readonly tenth: number;
}

const size = 50;
const rounds = 200;

/** The first and the tenth page of GET /logic/executions by each filter, newest first. */
export async function measureFilters(server: ServerProcess, scene: Scene, database: Knex): Promise<FilterTimes[]> {
  const all: FilterTimes[] = [];
  for (const [filter, query] of Object.entries(await filtersOf(database, scene.workspaceId))) {
    const path = `${server.baseUrl}/logic/executions?order=desc&size=${size}${query}`;
    const read = async (after: string | null): Promise<string | null> => {
      const url = after === null ? path : `${path}&after=${after}`;
      const { status, text, body } = await call(url, { headers: logicHeaders(scene) });
      if (status !== 200) throw new Error(text);
      return (body as { page: { after: string | null } }).page.after;
    };
    let ninth: string | null = null;
    for (let page = 1; page < 10; page++) ninth = (await read(ninth)) ?? ninth;
    const times = { first: [] as number[], tenth: [] as number[] };
    for (let round = -5; round < rounds; round++) {
      for (const [place, after] of [['first', null] as const, ['tenth', ninth] as const]) {
        const start = performance.now();
        await read(after);
        if (round >= 0) times[place].push(performance.now() - start);
      }
    }
    all.push({ filter, first: slowest(times.first), tenth: slowest(times.tenth) });
  }
  return all;
}

const slowest = (times: readonly number[]): number =>
  quantile(
    times.toSorted((one, other) => one - other),
    0.99,
  );

/** By name: what a query adds for the filter, of values that rows have. */
async function filtersOf(database: Knex, workspaceId: string): Promise<Record<string, string>> {
  const [row] = (await database('executions')
    .where('workspace_id', idToBytes(workspaceId))
    .whereNotNull('reference')
    .orderBy('id')
    .limit(1)) as Record<'environment_id' | 'decision_id' | 'deployment_id' | 'request_id', Buffer>[];
  if (row === undefined) throw new Error('nothing was recorded');
  const dayMs = 24 * 60 * 60 * 1000;
  const day = (ago: number): string => new Date(Date.now() - ago * dayMs).toISOString();
  return {
    none: '',
    environmentId: `&environmentId=${idFromBytes(row.environment_id)}`,
    decisionId: `&decisionId=${idFromBytes(row.decision_id)}`,
    deploymentId: `&deploymentId=${idFromBytes(row.deployment_id)}`,
    version: '&version=1',
    'a version that is not there': '&version=99',
    'status COMPLETED': '&status=COMPLETED',
    'status FAILED': '&status=FAILED',
    reference: '&reference=customer-7',
    requestId: `&requestId=${idFromBytes(row.request_id)}`,
    'from and to': `&from=${day(20)}&to=${day(10)}`,
    'all but reference and requestId':
      `&environmentId=${idFromBytes(row.environment_id)}&decisionId=${idFromBytes(row.decision_id)}` +
      `&deploymentId=${idFromBytes(row.deployment_id)}&version=1&status=COMPLETED&from=${day(20)}&to=${day(10)}`,
  };
}
