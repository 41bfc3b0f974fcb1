import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { migrate } from '../../db/migrate.js';
import { bootApp, type TestApp } from '../support/app.js';
import { isLong } from '../support/environment.js';
import { eventually } from '../support/eventually.js';
import { openStore, type Store } from '../support/factories.js';
import { call } from '../support/http.js';
import { doubling } from '../support/models.js';
import { buildScene } from '../support/scene.js';
import { startService, type Service } from '../support/service.js';

interface Line {
  readonly msg: string;
  readonly err?: unknown;
}

/** How MySQL goes away, and how it comes back; in the short form without what looks like being frozen from here. */
const outages: Readonly<Record<string, readonly [away: (mysql: Service) => void, back: (mysql: Service) => unknown]>> =
  {
    'frozen with its connections open': [(mysql) => mysql.freeze(), (mysql) => mysql.thaw()],
    ...(isLong && {
      'cut off, and nobody is told': [(mysql) => mysql.proxy.hole(), (mysql) => mysql.proxy.pass()],
    }),
    killed: [(mysql) => mysql.kill(), (mysql) => mysql.restart()],
  };

describe('an outage of MySQL in the log', () => {
  let mysql: Service;
  let app: TestApp;
  let store: Store;
  let path: string;
  let execute: () => Promise<number>;
  before(async () => {
    mysql = await startService('mysql');
    await migrate(mysql.directUrl);
    app = await bootApp({ DATABASE_URL: mysql.url, DATABASE_TIMEOUT_MS: '1500', TEST_PATIENCE: '1' });
    store = openStore({ DATABASE_URL: mysql.directUrl });
    const scene = await buildScene(app, { store });
    ({ path } = await scene.deployed('double.json', doubling(2)));
    execute = async () => (await scene.caller.post(path, { fact: { x: 1 } })).status;
    // What it counts, sequences and relays of these is under way when MySQL goes.
    for (let count = 0; count < 20; count++) expect(await execute()).to.equal(201);
  });
  after(async () => {
    await app.stop();
    await store.close();
    await mysql.end();
  });

  const ready = async (): Promise<boolean> => (await call(`${app.adminUrl}/readyz`)).status === 200;
  const linesFrom = (at: number): Line[] =>
    app
      .log()
      .slice(at)
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Line);

  for (const [how, [goAway, comeBack]] of Object.entries(outages))
    it(`is one line when it begins and one when it ends, and no stack: ${how}`, async () => {
      await eventually(ready);
      const from = app.log().length;
      const others = (): string[] =>
        linesFrom(from)
          .filter(({ msg }) => msg !== 'request')
          .map(({ msg }) => msg);
      goAway(mysql);
      await eventually(() => others().length > 0);
      // Requests meanwhile, and each loop in the background many times.
      for (let count = 0; count < 4; count++) expect(await execute()).to.equal(503);
      await sleep(2000);
      await comeBack(mysql);
      await eventually(() => others().length > 1);
      expect(others()).to.deep.equal([
        'MySQL is not reachable: what needs it is answered 503 or waits',
        'MySQL is reachable again',
      ]);
      expect(await execute()).to.equal(201);
      const said = app.log().slice(from);
      expect(said).to.not.include('transacting');
      expect(linesFrom(from).filter(({ err }) => err !== undefined)).to.deep.equal([]);
      expect(said).to.match(/"reason":"[^"]+"[^\n]*"msg":"MySQL is not reachable/);
    });

  it('is none where it is busy for a moment', async () => {
    await eventually(ready);
    const from = app.log().length;
    for (let times = 0; times < 3; times++) {
      mysql.freeze();
      await sleep(1200);
      mysql.thaw();
      expect(await execute()).to.equal(201);
    }
    mysql.proxy.reset();
    await eventually(async () => (await execute()) === 201);
    await sleep(2500);
    expect(linesFrom(from).filter(({ msg }) => msg !== 'request')).to.deep.equal([]);
  });
});
