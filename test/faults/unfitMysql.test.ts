import { expect } from 'chai';
import { migrate } from '../../db/migrate.js';
import { bootApp, type TestApp } from '../support/app.js';
import { eventually } from '../support/eventually.js';
import { call } from '../support/http.js';
import { startService, type Service } from '../support/service.js';

/** Settings of a MySQL that answers and cannot be worked with, and what is said of them. */
const faults: [settings: string[], fault: RegExp][] = [
  [['--read-only'], /^it cannot be written: .*read-only/],
  [
    ['--log-bin', '--server-id=1', '--binlog-format=STATEMENT'],
    /^binlog_format is STATEMENT, .* must be ROW or MIXED$/,
  ],
  [['--max-allowed-packet=32K'], /^max_allowed_packet is 32768, and must be at least 16777216$/],
];

describe('a MySQL that answers and cannot be worked with', () => {
  let settings: readonly string[] = [];
  let mysql: Service;
  let app: TestApp | undefined;
  before(async () => {
    mysql = await startService('mysql', () => settings);
    await migrate(mysql.directUrl);
  });
  afterEach(() => app?.stop());
  after(() => mysql.end());

  const readiness = async (of: TestApp): Promise<{ status: number; body: Record<string, unknown> }> => {
    const { status, body } = await call(`${of.adminUrl}/readyz`);
    return { status, body: body as Record<string, unknown> };
  };
  const restartWith = async (wanted: readonly string[]): Promise<void> => {
    settings = wanted;
    await mysql.restart();
  };

  for (const [wanted, fault] of faults) {
    it(`with ${wanted.join(' ')} is not ready, at start and while it serves, and says why`, async () => {
      await restartWith(wanted);
      const ofStart = (app = await bootApp({ DATABASE_URL: mysql.url }));
      const { status, body } = await readiness(ofStart);
      expect(status).to.equal(503);
      expect(body).to.deep.equal({
        status: 'not ready',
        accepting: true,
        mysql: 'unfit',
        fault: body['fault'],
        redis: body['redis'],
      });
      expect(body['fault']).to.match(fault);
      expect(ofStart.log().match(/"msg":"MySQL cannot be used"/g), 'logged once').to.have.length(1);

      const told = async (): Promise<string[]> =>
        (await call(`${ofStart.adminUrl}/metrics`)).text.match(
          /^verdict_(?:ready|dependency_up\{name="mysql"\}) .*$/gm,
        ) ?? [];
      expect(await told()).to.deep.equal(['verdict_ready 0', 'verdict_dependency_up{name="mysql"} 0']);

      await restartWith([]);
      await eventually(async () => (await readiness(ofStart)).status === 200);
      const { body: mended } = await readiness(ofStart);
      expect(mended).to.deep.equal({ status: 'ready', accepting: true, mysql: 'ok', redis: mended['redis'] });
      expect(ofStart.log()).to.contain('MySQL can be used again');
      expect(await told()).to.deep.equal(['verdict_ready 1', 'verdict_dependency_up{name="mysql"} 1']);

      await restartWith(wanted);
      await eventually(async () => (await readiness(ofStart)).body['mysql'] === 'unfit');
      expect((await readiness(ofStart)).body['fault']).to.match(fault);
    });
  }
});
