import { expect } from 'chai';
import { migrate } from '../../../db/migrate.js';
import { bootApp, type TestApp } from '../../support/app.js';
import { openStore, type Store } from '../../support/factories.js';
import { calling, doubling, type Model } from '../../support/models.js';
import { buildScene, type Scene } from '../../support/scene.js';
import { startService, type Service } from '../../support/service.js';
import { bodyOf } from '../../support/asserts.js';

const path = '/logic/decisions';

/** On a MySQL of its own, since its counters count for whomever rows are read. */
describe('what MySQL reads while decisions are written is decided', () => {
  let mysql: Service;
  let store: Store;
  let app: TestApp;
  let scene: Scene;
  before(async () => {
    mysql = await startService('mysql');
    await migrate(mysql.directUrl);
    store = openStore({ DATABASE_URL: mysql.directUrl });
    app = await bootApp({ DATABASE_URL: mysql.directUrl, TEST_PACE: '1' });
    scene = await buildScene(app, { store });
  });
  after(async () => {
    await app.stop();
    await store.close();
    await mysql.end();
  });

  const made = async (key: string, content: Model): Promise<string> =>
    (bodyOf(await scene.caller.post(path, { key, content }), 201) as { id: string }).id;
  const faultsOf = async (id: string): Promise<number> =>
    ((await scene.caller.get(`${path}/${id}`)).body as { faults: number }).faults;

  it('by what they name, not by how many there are', async () => {
    const rate = await made('rate.json', doubling(2));
    const id = await made('user.json', calling('rate.json'));
    const many = Array.from({ length: 300 }, (_, n) => ({
      key: `many/${n}.json`,
      content: calling(`./${n - 1}.json`),
    }));
    expect((await scene.caller.post('/logic/imports?force=true', { decisions: many })).status).to.equal(200);
    const read = async (write: () => Promise<{ status: number }>): Promise<number> => {
      // A look reads rows itself: on MySQL some 450 of its counters.
      const first = await rowsRead();
      const before = await rowsRead();
      expect((await write()).status).to.equal(200);
      return (await rowsRead()) - before - (before - first);
    };
    // The server reads for work of its own meanwhile: the quietest of several counts.
    let content = Infinity;
    for (const name of ['./rate.json', 'rate.json', './rate.json', 'rate.json', './rate.json'])
      content = Math.min(content, await read(() => scene.caller.patch(`${path}/${id}`, { content: calling(name) })));
    const key = await read(() => scene.caller.patch(`${path}/${rate}`, { key: 'rates.json' }));
    expect(content).to.be.below(100);
    // Who names the key is looked for among the names of all, by MySQL.
    expect(key).to.be.above(300);
    expect(await faultsOf(id)).to.equal(1);
  });

  /** Rows of tables and indexes that the server has read, for whomever. */
  async function rowsRead(): Promise<number> {
    const [rows] = (await store.database.raw("SHOW GLOBAL STATUS LIKE 'Handler_read%'")) as [{ Value: string }[]];
    return rows.reduce((sum, { Value }) => sum + Number(Value), 0);
  }
});
