import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { startLoad, type LoadOptions } from '../support/load.js';
import type { ServerProcess } from '../support/process.js';
import { faultsOf, startHurt, type Hurt, type ServiceFault } from './hurt.js';
import { startOperations, tabulatePair, type Pair } from './pairs/endure.js';
import { setStage, type Stage } from './pairs/stage.js';
import { faultSeconds } from './table.js';
import { tryFault, type Outcome } from './trial.js';
import { allowedMs } from '../support/environment.js';

/** A fresh server's heap finds its size under load: 200 MB that are no fault's doing. */
const warmMs = faultSeconds > 0 ? 8000 : 1000;
const beforeMs = faultSeconds > 0 ? 3000 : 600;
const duringMs = (shortMs: number): number => (faultSeconds > 0 ? faultSeconds * 1000 : shortMs);
const afterMs = 8000;

const names = [
  'execute',
  'evaluate',
  'deploy',
  'delete a deployment',
  'create an environment',
  'patch an environment',
  'set a variable',
  'get a token',
  'list environments',
  'patch an inquiry',
  'health',
];

describe('faults under load, with every operation', function () {
  this.timeout(300_000 + 3 * faultSeconds * 1000);
  let hurt: Hurt;
  let stages: Readonly<Record<'mysql' | 'redis', Stage>>;
  before(async () => {
    hurt = await startHurt();
    const { servers, store, indirect } = hurt;
    stages = {
      mysql: await setStage(servers.mysql, store, indirect),
      redis: await setStage(servers.redis, store, indirect),
    };
    for (const stage of Object.values(stages)) {
      const warming = startLoad(loadOf(stage));
      await sleep(warmMs);
      await warming.stop();
    }
  });
  after(() => hurt.end());

  const loadOf = ({ server, scene, environmentId, decisionId }: Stage): LoadOptions => ({
    url: `${server.baseUrl}/logic/${environmentId}/decisions/${decisionId}/executions`,
    headers: { Authorization: `Bearer ${scene.token}`, 'X-Workspace-Id': scene.workspaceId },
    loops: faultSeconds > 0 ? 16 : 8,
    // In `make test` the machine is shared, and half of its time is left to the others.
    pauseMs: faultSeconds > 0 ? 5 : 240,
  });
  const memoryOf = async ({ adminUrl }: ServerProcess): Promise<number> => {
    const status = (await (await fetch(`${adminUrl}/pool`)).json()) as { memory: { rss: number } };
    return status.memory.rss;
  };

  async function endure(fault: ServiceFault): Promise<{ outcome: Outcome; pairs: readonly Pair[] }> {
    const stage = stages[fault.of];
    const operations = fault.isOfAll ? await startOperations(stage) : undefined;
    const times = { beforeMs, duringMs: duringMs(fault.shortMs), afterMs };
    const memory = (): Promise<number> => memoryOf(stage.server);
    const outcome = await tryFault({ fault, load: loadOf(stage), database: hurt.store.database, memory, ...times });
    return { outcome, pairs: (await operations?.stop()) ?? [] };
  }

  for (const fault of faultsOf(() => hurt)) {
    describe(fault.name, () => {
      let outcome: Outcome;
      let pairs: readonly Pair[];
      before(async () => {
        ({ outcome, pairs } = await endure(fault));
      });

      it('loses no execution, and is over soon after', () => {
        expect(outcome.violations, JSON.stringify(outcome)).to.deep.equal([]);
      });

      if (!fault.isOfAll) return;

      it('is tried with every operation', () => {
        expect(pairs.map(({ operation }) => operation.name)).to.deep.equal(names);
      });

      for (const name of names) {
        it(name, async () => {
          const pair = pairs.find(({ operation }) => operation.name === name)!;
          const endings = [...pair.endings.keys()];
          const wrong = endings.filter((end) => end !== 'done' && !fault.allowed.includes(end));
          wrong.push(...(await pair.operation.verify()));
          if (!pair.endings.has('done')) wrong.push('it never succeeded');
          tabulatePair(fault.name, pair, wrong);
          expect(wrong, endings.join()).to.deep.equal([]);
          expect(pair.slowestMs).to.be.below(allowedMs(8000));
        });
      }
    });
  }
});
