import { once } from 'node:events';
import { expect } from 'chai';
import { openProgress } from '../../src/cli/progress.js';
import { useStore } from '../support/factories.js';
import { seed, wholeNumber } from '../support/environment.js';
import { startServer, type ServerProcess } from '../support/process.js';
import { maxBodyBytes } from './body.js';
import type { Operation } from './document.js';
import { startIssuer, type Issuer } from '../support/issuer.js';
import { longTimeouts } from '../support/settings.js';
import { fuzz, type Fuzzed } from './run.js';
import { buildWorld, showPlanted, type Side, type World } from './world.js';

/** Of a run of all tests; `make fuzz` takes more. */
const requests = wholeNumber('REQUESTS') ?? 1500;
const manyRequests = 20_000;

describe('requests made from openapi.json', function () {
  this.timeout(300_000 + requests * 20);
  const store = useStore();
  let issuer: Issuer;
  let server: ServerProcess;
  let world: World;
  let fuzzed: Fuzzed;
  const planted = new Map<Side, unknown>();
  before(async () => {
    issuer = await startIssuer();
    server = await startServer({
      ...longTimeouts,
      TRUSTED_ISSUERS: JSON.stringify([issuer.setting]),
      MAX_BODY_BYTES: String(maxBodyBytes),
      MAX_IMPORT_BYTES: String(maxBodyBytes),
      MAX_BATCH_BYTES: String(maxBodyBytes),
      LOG_LEVEL: 'error',
    });
    world = await buildWorld({ baseUrl: server.baseUrl, store, issuer });
    for (const side of world.sides) planted.set(side, await showPlanted(server.baseUrl, side));
    const progress = openProgress(process.stderr, 'requests', requests);
    const advance = (): void => progress.advance();
    fuzzed = await fuzz({ baseUrl: server.baseUrl, world, seed, requests, concurrency: 16, advance });
    progress.end();
    if (process.stderr.isTTY) {
      process.stderr.write(`      ${fuzzed.requests} requests, the slowest ${Math.round(fuzzed.slowestMs)} ms\n`);
    }
  });
  after(async function () {
    this.timeout(0);
    if (wholeNumber('HOLD') === 1 && fuzzed.faults.length > 0) await interruption(server.baseUrl);
    await server.stop();
    issuer.close();
  });

  it(`get answers as documented, and nothing of another tenant (SEED=${seed} repeats them)`, () => {
    // Not `expect`: its difference of two texts would cut the curl lines off.
    if (fuzzed.faults.length > 0) throw new Error(`SEED=${seed}\n\n${fuzzed.faults.join('\n\n')}`);
    expect(fuzzed.requests).to.equal(requests);
  });

  it('reach every operation, and are served as well as refused', () => {
    const statuses = new Map<string, number[]>();
    for (const key of fuzzed.answers.keys()) {
      const [operation = '', status] = key.split(' ');
      statuses.set(operation, [...(statuses.get(operation) ?? []), Number(status)]);
    }
    expect([...statuses.keys()]).to.have.members(fuzzed.operations.map(({ id }) => id));
    expect(new Set([...statuses.values()].flat())).to.include.all.keys([400, 401, 403, 404, 409, 412, 413, 415, 422]);
    const isServed = ({ id }: Operation): boolean => statuses.get(id)?.some((status) => status < 300) === true;
    const served = fuzzed.operations.filter(isServed);
    // Files, and requests of changes, are not made up well enough to be served.
    expect(served.length).to.be.above(0.75 * fuzzed.operations.length);
    // A few requests of each operation are not sure to be served, nor to meet every refusal.
    if (requests < manyRequests) return;
    expect(fuzzed.operations.filter((operation) => !isServed(operation)).map(({ id }) => id)).to.deep.equal([]);
    for (const { id, security, scopes } of fuzzed.operations) {
      if (security.length > 0) expect(statuses.get(id), id).to.include(401);
      const refused = scopes.length > 0 ? [400, 403] : [400];
      if (security.includes('bearer')) expect(statuses.get(id), id).to.include.members(refused);
    }
  });

  it('of one tenant change nothing of the other', async () => {
    for (const side of world.sides) expect(await showPlanted(server.baseUrl, side)).to.deep.equal(planted.get(side));
  });

  it('leave the log without an unforeseen error', () => {
    const errors = server
      .log()
      .split('\n')
      .filter((line) => line.includes('"code":"internal_error"'));
    expect(errors).to.deep.equal([]);
  });
});

/** The curl lines need the server that they were found with. */
async function interruption(baseUrl: string): Promise<void> {
  process.stderr.write(`      ${baseUrl} goes on until Ctrl-C, so that the curl lines can be repeated.\n`);
  await once(process, 'SIGINT');
}
