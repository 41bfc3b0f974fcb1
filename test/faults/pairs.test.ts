import { setTimeout as sleep } from 'node:timers/promises';
import Table from 'cli-table3';
import { expect } from 'chai';
import { migrate } from '../../db/migrate.js';
import { openStore, type Store } from '../support/factories.js';
import { startServer, type ServerProcess } from '../support/process.js';
import { longTimeouts } from '../support/settings.js';
import { startService, type Service } from '../support/service.js';
import { makeOperations } from './pairs/operations.js';
import { setStage, type Operation, type Stage } from './pairs/stage.js';
import { faultSeconds, tell } from './table.js';
import { startStopwatch } from '../support/stopwatch.js';

interface PairFault {
  readonly name: string;
  readonly ms: number;
  readonly begin: () => Promise<void> | void;
  readonly end: () => Promise<void> | void;
  /** Codes that clients may see meanwhile. */
  readonly allowed: readonly string[];
}

/** All attempts of one operation around one fault. */
interface Pair {
  readonly operation: Operation;
  readonly endings: Map<string, number>;
  slowestMs: number;
}

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
const beforeMs = 300;
const afterMs = faultSeconds > 0 ? 3000 : 300;
const pauseMs = faultSeconds > 0 ? 60 : 200;
const recoveryMs = 10_000;

describe('every fault with every operation', () => {
  let mysql: Service;
  let redis: Service;
  /** Under faults of Redis a server is not to fail, so it has the time that a slow machine needs. */
  let servers: readonly ServerProcess[];
  let store: Store;
  let hurt: Store;
  let stages: Readonly<Record<'mysql' | 'redis', Stage>>;
  const table = new Table({
    head: ['fault', 'operation', 'what clients saw', 'slowest ms', 'verdict'],
    style: { head: [], border: [] },
  });

  before(async () => {
    [mysql, redis] = await Promise.all([startService('mysql'), startService('redis')]);
    await migrate(mysql.directUrl);
    const settings = { DATABASE_URL: mysql.url, REDIS_URL: redis.url, LOG_LEVEL: 'warn' };
    store = openStore({ ...settings, DATABASE_URL: mysql.directUrl });
    hurt = openStore(settings);
    const { POOL_MAX_WAIT_MS, RUN_TIMEOUT_MS } = longTimeouts;
    const [hasty, patient] = [
      await startServer({ ...settings, POOL_MAX_WAIT_MS, RUN_TIMEOUT_MS }),
      await startServer({ ...settings, ...longTimeouts }),
    ];
    servers = [hasty, patient];
    stages = { mysql: await setStage(hasty, store, hurt), redis: await setStage(patient, store, hurt) };
  });
  after(async () => {
    await Promise.all(servers.map((server) => server.stop()));
    await Promise.all([store.close(), hurt.close()]);
    await Promise.all([mysql.end(), redis.end()]);
    if (faultSeconds > 0) process.stdout.write(`${table.toString()}\n`);
  });

  const unavailable = ['dependency_unavailable', 'overloaded'];
  const killed = (of: () => Service, allowed: readonly string[]): Omit<PairFault, 'name'> => ({
    ms: 300,
    begin: () => of().kill(),
    end: () => of().restart(),
    allowed,
  });
  const stopped = (of: () => Service, allowed: readonly string[]): Omit<PairFault, 'name'> => ({
    ms: 3000,
    begin: () => of().freeze(),
    end: () => of().thaw(),
    allowed,
  });
  const reset = (of: () => Service, allowed: readonly string[]): Omit<PairFault, 'name'> => ({
    ms: 300,
    begin: () => of().proxy.reset(),
    end: () => of().proxy.reset(),
    allowed,
  });
  const far = (of: () => Service, ms: number): Omit<PairFault, 'name'> => ({
    ms: 1000,
    begin: () => of().proxy.pass(ms / 2),
    end: () => of().proxy.pass(),
    allowed: [],
  });
  const faults: readonly PairFault[] = [
    { name: 'Redis killed', ...killed(() => redis, []) },
    { name: 'Redis stopped', ...stopped(() => redis, []) },
    { name: 'connections to Redis reset', ...reset(() => redis, []) },
    { name: 'Redis 400 ms away', ...far(() => redis, 400) },
    { name: 'MySQL killed', ...killed(() => mysql, unavailable) },
    { name: 'MySQL stopped', ...stopped(() => mysql, unavailable) },
    { name: 'connections to MySQL reset', ...reset(() => mysql, unavailable) },
    { name: 'MySQL 100 ms away', ...far(() => mysql, 100) },
  ];

  async function once(pair: Pair): Promise<string> {
    const watch = startStopwatch();
    const end = await pair.operation.attempt();
    pair.slowestMs = Math.max(pair.slowestMs, watch.stop());
    pair.endings.set(end, (pair.endings.get(end) ?? 0) + 1);
    return end;
  }

  /** All operations at once, each again and again, before, during and after the fault, until each has come back. */
  async function endure(fault: PairFault): Promise<Pair[]> {
    tell(`${fault.name}: ${beforeMs + fault.ms + afterMs} ms of every operation …`);
    const operations = await makeOperations(stages[/Redis/.test(fault.name) ? 'redis' : 'mysql']);
    const pairs = operations.map((operation): Pair => ({ operation, endings: new Map(), slowestMs: 0 }));
    const state = { going: true };
    const loops = pairs.map(async (pair) => {
      while (state.going) {
        await once(pair);
        await sleep(pauseMs);
      }
      const until = performance.now() + recoveryMs;
      while ((await once(pair)) !== 'done' && performance.now() < until) await sleep(pauseMs);
    });
    await sleep(beforeMs);
    await fault.begin();
    await sleep(fault.ms);
    await fault.end();
    await sleep(afterMs);
    state.going = false;
    await Promise.all(loops);
    return pairs;
  }

  for (const fault of faults) {
    describe(fault.name, () => {
      let pairs: readonly Pair[];
      before(async () => {
        pairs = await endure(fault);
      });

      it('is tried with every operation', () => {
        expect(pairs.map(({ operation }) => operation.name)).to.deep.equal(names);
      });

      for (const name of names) {
        it(name, async () => {
          const { operation, endings, slowestMs } = pairs.find((pair) => pair.operation.name === name)!;
          const seen = [...endings].map(([end, count]) => `${end} ${count}`);
          const refused = [...endings.keys()].filter((end) => end !== 'done' && !fault.allowed.includes(end));
          const wrong = [...refused, ...(await operation.verify())];
          if (!endings.has('done')) wrong.push('it never succeeded');
          table.push([
            fault.name,
            name,
            seen.join('\n'),
            Math.round(slowestMs),
            wrong.length === 0 ? 'ok' : wrong.join('\n'),
          ]);
          expect(wrong, seen.join()).to.deep.equal([]);
          expect(slowestMs).to.be.below(8000);
        });
      }
    });
  }
});
