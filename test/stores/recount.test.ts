import { expect } from 'chai';
import { erasedOf, holdErasures } from '../../src/erasures/erasures.store.js';
import { hoursOf, recount } from '../../src/measures/recount.js';
import { idTime, idToBytes, newId } from '../../src/storage/ids.js';
import { QuantileSketch } from '../../workers/sketch/index.js';
import { buildDeployed, recordOf } from '../support/deployed.js';
import { idAgo } from '../support/evidence.js';
import { testActor, useScratchStore } from '../support/factories.js';
import { writeRecord } from '../support/records.js';

const hourMs = 3_600_000;

describe('counting executions anew', () => {
  const store = useScratchStore();

  it('asks the database about hours that have records or counts, and for next to nothing about all others', async () => {
    const { database } = store;
    const deployed = await buildDeployed(store);
    const [recorded, counted] = [idAgo(3 * hourMs), idAgo(900 * hourMs)];
    await writeRecord(database, recordOf(deployed, { id: recorded, createdAt: idTime(recorded) }));
    const hourOf = (id: string): Date => new Date(Math.floor(idTime(id).getTime() / hourMs) * hourMs);
    await database('measures').insert({
      ...{ workspace_id: idToBytes(deployed.workspaceId), decision_id: idToBytes(deployed.decisionId) },
      ...{ environment_id: idToBytes(deployed.environmentId), hour: hourOf(counted), version: 1 },
      ...{
        part_id: idToBytes(newId()),
        additions: 1,
        count: 1,
        failed: 0,
        times: JSON.stringify(new QuantileSketch()),
      },
    });

    const request = { workspaceId: deployed.workspaceId, from: new Date(Date.now() - 2000 * hourMs), to: new Date() };
    let [statements, hours] = [0, 0];
    const note = (): void => {
      statements++;
    };
    database.on('query', note);
    const told = await recount({ database, actor: testActor }, request, {
      ...{ erasedOf, holdErasures },
      onHour: () => hours++,
    });
    database.removeListener('query', note);
    expect(told).to.deep.equal({ hours: hoursOf(request).length, executions: 1 });
    expect(hours).to.equal(told.hours).and.to.be.greaterThan(1990);
    expect(statements).to.be.lessThan(100);
    const left = await database('measures').select<{ hour: Date; count: number }[]>('hour', 'count');
    expect(left).to.deep.equal([{ hour: hourOf(recorded), count: 1 }]);
    const entries = database('audit_entries').where('action', 'measures.update').orderBy('id');
    expect(await entries.pluck('resource_id')).to.deep.equal([counted, recorded].map((id) => hourOf(id).toISOString()));
  });
});
