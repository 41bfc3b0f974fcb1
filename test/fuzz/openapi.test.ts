import { expect } from 'chai';
import { openProgress } from '../../src/cli/progress.js';
import { openStore, type Store } from '../support/factories.js';
import { startServer, type ServerProcess } from '../support/process.js';
import { maxBodyBytes } from './body.js';
import { startIssuer, type Issuer } from './issuer.js';
import { fuzz, type Fuzzed } from './run.js';
import { buildWorld, type World } from './world.js';

/** Of a run of all tests; `make fuzz` takes more. */
const requests = Number(process.env['REQUESTS'] ?? 2000);
const seed = Number(process.env['SEED'] ?? Date.now() % 2 ** 31);

describe('requests made from openapi.json', function () {
  this.timeout(60_000 + requests * 20);
  let store: Store;
  let issuer: Issuer;
  let server: ServerProcess;
  let world: World;
  let fuzzed: Fuzzed;
  before(async () => {
    store = openStore();
    issuer = await startIssuer();
    server = await startServer({
      TRUSTED_ISSUERS: issuer.setting,
      MAX_BODY_BYTES: String(maxBodyBytes),
      RUN_TIMEOUT_MS: '20000',
      POOL_MAX_WAIT_MS: '20000',
      LOG_LEVEL: 'error',
    });
    world = await buildWorld({ baseUrl: server.baseUrl, store, issuer });
    const progress = openProgress(process.stderr, 'requests', requests);
    const advance = (): void => progress.advance();
    fuzzed = await fuzz({ baseUrl: server.baseUrl, world, seed, requests, concurrency: 16, advance });
    progress.end();
  });
  after(async () => {
    await server.stop();
    issuer.close();
    await store.close();
  });

  it(`get answers as documented, and nothing of another tenant (SEED=${seed} repeats them)`, () => {
    expect(fuzzed.faults.join('\n\n'), `seed ${seed}`).to.equal('');
    expect(fuzzed.requests).to.equal(requests);
  });

  it('reach every operation, in good and in bad ways', () => {
    process.stdout.write([...fuzzed.answers].sort().map(([key, count]) => `      ${key} ${count}`).join('\n') + '\n');
  });

  it('leave the log without an unforeseen error', () => {
    const errors = server.log().split('\n').filter((line) => line.includes('"code":"internal_error"'));
    expect(errors).to.deep.equal([]);
  });
});
