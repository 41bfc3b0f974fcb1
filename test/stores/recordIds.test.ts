import { expect } from 'chai';
import type { IdRange } from '../../src/runs/days/windows.js';
import { recordIds, type RecordFilter } from '../../src/runs/recordIds.js';
import { idFromBytes, idToBytes, lowestIdAt, newId } from '../../src/storage/ids.js';
import { buildDeployed, deployOnce, recordOf, type Deployed } from '../support/deployed.js';
import { useStore } from '../support/factories.js';
import { writeRecords } from '../support/records.js';

const hourMs = 60 * 60 * 1000;
const deployments = 80;

interface Made {
  readonly id: string;
  readonly deploymentId: string;
  readonly version: number;
  readonly status: 'COMPLETED' | 'FAILED';
  readonly reference: string | null;
  readonly requestId: string;
}

/** Of one execution in ten. */
const reference = 'mine';
/** Of one in eleven, as of a batch. */
const requestId = '01890000-0000-7000-8000-0000000000aa';

/** Each deployment was in use for some hours, one after the other, as they are: more than one statement asks for. */
describe('ids of executions of many deployments', () => {
  const store = useStore();
  let deployed: Deployed;
  const made: Made[] = [];
  const start = Date.UTC(2026, 0, 1);
  const timeOf = (index: number, hour: number): number => start + Math.round((6 * index + hour) * hourMs);
  const idAt = (ms: number, index: number): string => {
    const time = ms.toString(16).padStart(12, '0');
    return `${time.slice(0, 8)}-${time.slice(8)}-7${index.toString(16).padStart(3, '0')}-8000-000000000000`;
  };
  before(async () => {
    deployed = await buildDeployed(store);
    for (let index = 0; index < deployments; index++) {
      const deploymentId = await deployOnce(store, deployed);
      const records = Array.from({ length: 16 }, (_, number) => {
        const hour = 0.6 * number;
        const status: Made['status'] = (index + number) % 7 === 0 ? 'FAILED' : 'COMPLETED';
        const place = 16 * index + number;
        const one = {
          ...{ id: idAt(timeOf(index, hour), index), deploymentId, version: index % 3, status },
          ...{ reference: place % 10 === 0 ? reference : null, requestId: place % 11 === 0 ? requestId : newId() },
        };
        const createdAt = new Date(timeOf(index, hour));
        made.push(one);
        return recordOf({ ...deployed, deploymentId }, { ...one, createdAt });
      });
      await writeRecords(store.database, records);
      // Its last record is younger than that, as a number is remembered for an hour, and a request takes its time.
      await store
        .database('execution_routes')
        .where('deployment_id', idToBytes(deploymentId))
        .update({ used_at: new Date(timeOf(index, 8)) });
    }
    made.sort((one, other) => (one.id < other.id ? -1 : 1));
  });

  const filters: RecordFilter[] = [
    {},
    { version: 1 },
    { status: 'FAILED' },
    { version: 2, status: 'COMPLETED' },
    { version: 9 },
    { reference },
    { reference, version: 1, status: 'COMPLETED' },
    { requestId, status: 'FAILED' },
    { requestId, reference },
  ];
  const ranges: (Pick<IdRange, 'limit' | 'order'> & { readonly after?: number; readonly days?: [number, number] })[] = (
    ['asc', 'desc'] as const
  ).flatMap((order) => [
    { order, limit: 5 },
    { order, limit: 5, after: 700 },
    { order, limit: 1200 },
    { order, limit: 40, days: [2, 12] },
    { order, limit: 7, after: 690, days: [3, 15] },
  ]);
  for (const filter of filters) {
    for (const range of ranges) {
      it(`of ${JSON.stringify(filter)} within ${JSON.stringify(range)}`, async () => {
        const { order, limit, after, days } = range;
        const [from, before] = (days ?? []).map((day) => lowestIdAt(new Date(start + day * 24 * hourMs)));
        const cursor = after === undefined ? undefined : idToBytes(made[after]!.id);
        const inOrder = order === 'asc' ? made : made.toReversed();
        const wanted = inOrder.filter((one) => {
          const id = idToBytes(one.id);
          if (cursor !== undefined && Buffer.compare(id, cursor) * (order === 'asc' ? 1 : -1) <= 0) return false;
          if (from !== undefined && Buffer.compare(id, from) < 0) return false;
          if (before !== undefined && Buffer.compare(id, before) >= 0) return false;
          return Object.entries(filter).every(([name, value]) => one[name as keyof Made] === value);
        });
        const { environmentId, workspaceId } = deployed;
        for (const of of [filter, { ...filter, environmentId }]) {
          const found = await recordIds(store.database, workspaceId, of, { order, limit, after: cursor, from, before });
          expect(found.map(idFromBytes)).to.deep.equal(wanted.slice(0, limit).map(({ id }) => id));
        }
      });
    }
  }
});
