import { expect } from 'chai';
import { FieldCounts } from '../../src/measures/fieldCounts.js';
import { idToBytes, newId } from '../../src/storage/ids.js';
import { QuantileSketch } from '../../workers/sketch/index.js';
import { useOwnApp } from '../support/app.js';
import { call } from '../support/http.js';
import { doubling } from '../support/models.js';
import { testDatabase, useScene } from '../support/scene.js';

const mebibyte = 1024 * 1024;
const hourMs = 3_600_000;

describe('measures of thousands of versions', () => {
  const app = useOwnApp({ MAX_BYTES_IN_FLIGHT: String(32 * mebibyte) });
  const scene = useScene(app);

  it('are added up on the account of who asks, and refused where that has no room; then nothing is held', async () => {
    const { decisionId, environmentId } = await scene.deployed('many.json', doubling(2));
    const field = new FieldCounts();
    for (let n = 0; n < 40; n++) field.count(JSON.stringify(`${n} ${'y'.repeat(180)}`));
    const hour = new Date(Date.now() - (Date.now() % hourMs));
    const rows = Array.from({ length: 2000 }, (_, version) => ({
      ...{ workspace_id: idToBytes(scene.workspaceId), decision_id: idToBytes(decisionId) },
      ...{ environment_id: idToBytes(environmentId), hour, version, part_id: idToBytes(newId()), additions: 1 },
      ...{ count: 40, failed: 0, times: JSON.stringify(new QuantileSketch()), fields: JSON.stringify({ '/a': field }) },
    }));
    await testDatabase().batchInsert('measures', rows, 200);
    const asked = (pointer: string) => scene.caller.get(`/logic/measures?decisionId=${decisionId}&pointer=${pointer}`);
    const refused = await asked('/a');
    expect(refused.status, refused.text.slice(0, 200)).to.equal(503);
    const { status, body } = await asked('/b');
    expect([status, (body as { data: unknown[] }).data.length]).to.deep.equal([200, 2000]);
    const { bytesInFlight } = (await call(`${app.adminUrl}/pool`)).body as { bytesInFlight: number };
    expect(bytesInFlight).to.equal(0);
  });
});
