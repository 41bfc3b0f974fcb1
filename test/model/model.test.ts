import { expect } from 'chai';
import fc from 'fast-check';
import { idFromBytes, idToBytes } from '../../src/storage/ids.js';
import { isLong, seed, wholeNumber } from '../support/environment.js';
import { startServer, type ServerProcess } from '../support/process.js';
import { startService, type Service } from '../support/service.js';
import { authoringCommands } from './authoring.js';
import type { Command } from './command.js';
import { deployCommand, deploymentCommands, shownDeployments } from './deployments.js';
import { environmentCommands, expectListed, shownEnvironments } from './environments.js';
import { faultCommands, mend } from './faults.js';
import { createModel, type Model } from './model.js';
import { newsCommands } from './news.js';
import { executeCommand, runCommands } from './runs.js';
import { buildSystem, type System } from './system.js';

/** Of a run of all tests; `make fuzz` takes more. */
const numRuns = wholeNumber('RUNS') ?? (isLong ? 3 : 1);
const maxCommands = 80;
const decisions = 2;

describe('the service against a model in memory', function () {
  this.timeout(300_000 + numRuns * 20_000);
  let redis: Service;
  let servers: [ServerProcess, ServerProcess];
  before(async () => {
    redis = await startService('redis');
    const settings = { REDIS_URL: redis.url, LOG_LEVEL: 'warn' };
    servers = await Promise.all([startServer(settings), startServer(settings)]);
  });
  after(async () => {
    await Promise.all(servers.map((server) => server.stop()));
    await redis.end();
  });

  it(`two processes, Redis failing: ${numRuns} runs of commands (SEED=${seed} RUNS=${numRuns} repeats them)`, async () => {
    const property = fc.asyncProperty(fc.commands(commands(), { maxCommands, size: 'max' }), async (steps) => {
      const system = await buildSystem(servers, redis, decisions);
      const model = createModel(decisions);
      try {
        await fc.asyncModelRun(() => ({ model, real: system }), steps);
        await expectSame(model, system);
      } finally {
        await mend(model, system);
      }
    });
    await fc.assert(property, { seed, numRuns, endOnFailure: false });
  });
});

/** Deploying and executing more often than the rest: routing is what processes could disagree on. */
function commands(): fc.Arbitrary<Command>[] {
  const often = [deployCommand, executeCommand];
  return [
    ...environmentCommands,
    ...deploymentCommands,
    ...runCommands,
    ...authoringCommands,
    ...faultCommands,
    ...newsCommands,
    ...often,
    ...often,
    ...often,
  ];
}

/** In the end both processes show what the model holds, and every acknowledged execution is recorded once. */
async function expectSame(model: Model, system: System): Promise<void> {
  await expectListed(system, '/logic/environments', shownEnvironments(model), 7);
  await expectListed(system, '/logic/deployments', shownDeployments(model, system), 7);
  const rows = (await system
    .database('executions')
    .select('id')
    .where('workspace_id', idToBytes(system.scene.workspaceId))) as { id: Buffer }[];
  expect(rows.map(({ id }) => idFromBytes(id)).sort()).to.deep.equal(model.executions.map(({ id }) => id).sort());
}
