import { expect } from 'chai';
import type { Model } from '../support/models.js';
import { useServer } from '../support/process.js';
import { buildScene, logicHeaders } from '../support/scene.js';
import { tableOf } from '../support/consoleScene.js';

const rows = 2000;
const requests = 40;
const capacity = 64 * 1024 * 1024;

/** A table of a megabyte, of which each row is another with each letter. */
function model(letter: string): Model {
  const table = tableOf(rows) as { nodes: { content?: { rules?: Record<string, string>[] } }[] } & Model;
  for (const node of table.nodes) for (const rule of node.content?.rules ?? []) rule['fee'] = `'${letter.repeat(500)}'`;
  return table;
}

describe('a flood of comparisons of large versions, whose answers nobody reads', () => {
  const server = useServer({
    MAX_BYTES_IN_FLIGHT: String(capacity),
    LOG_LEVEL: 'silent',
    POOL_MAX_WAIT_MS: '20000',
  });

  const runs = async (): Promise<number> => {
    const text = await (await fetch(`${server.adminUrl}/metrics`)).text();
    return Number(/^verdict_pool_run_seconds_count (\d+)$/m.exec(text)?.[1]);
  };

  it('costs no thread a comparison whose answer is then refused', async () => {
    const scene = await buildScene(server);
    const id = await scene.decision('large.json', model('a'));
    await scene.decision('large.json', model('b'));
    const path = `${server.baseUrl}/logic/decisions/${id}/versions/1/differences/2`;
    const before = await runs();
    const answers = await Promise.all(
      Array.from({ length: requests }, () => fetch(path, { headers: logicHeaders(scene) })),
    );
    const statuses = answers.map(({ status }) => status);
    const compared = (await runs()) - before;
    for (const { body } of answers) await body?.cancel();
    expect(new Set(statuses)).to.deep.equal(new Set([200, 503]));
    expect(compared).to.equal(statuses.filter((status) => status === 200).length);
  });
});
