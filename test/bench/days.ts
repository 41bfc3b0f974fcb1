import { setTimeout as sleep } from 'node:timers/promises';
import { openProgress } from '../../src/cli/progress.js';
import { dayMs, readDays, startOfDay } from '../../src/runs/days/days.js';
import { openStore } from '../support/factories.js';
import { makePastDays } from '../support/pastDays.js';
import { buildScene } from '../support/scene.js';
import { inTurns, measure, setting, type Bed } from './bed.js';
import { decisionFact, decisionResult, deployDecision, targetOf } from './decision.js';
import { load, type Measured } from './load.js';
import { median } from './numbers.js';
import { atMost, type Report } from './report.js';
import { seedExecutions } from './seed.js';

// `make bench-days`: what executions pay while the server drops a day of records. RECORDS=1000000 in each of ROUNDS=3 days,
// SECONDS=10 a measurement.

const records = setting('RECORDS', 1_000_000);
const rounds = setting('ROUNDS', 3);
const seconds = setting('SECONDS', 10);
const connections = 32;
/** How long the environment keeps its records before the first of the days is dropped. */
const keptDays = 20;
/** The load is under way by then. */
const beginsMs = 2000;

interface Dropped {
  readonly measured: Measured;
  readonly tookS: number;
}

async function run(bed: Bed): Promise<Report> {
  const store = openStore();
  bed.ends(() => store.close());
  const server = await bed.server();
  const scene = await buildScene(server, { store });
  const demo = await deployDecision(scene);
  const target = targetOf(server, demo, bed.watched);
  await makePastDays(store.database, keptDays + rounds + 2);
  const first = startOfDay(Date.now()) - (keptDays + rounds) * dayMs;
  const bar = openProgress(process.stderr, 'Filling', records * rounds);
  const texts = { fact: JSON.stringify(decisionFact), result: JSON.stringify(decisionResult) };
  for (let day = 0; day < rounds; day++) {
    const span = { from: first + day * dayMs, days: 1 };
    const subject = { ...demo, workspaceId: scene.workspaceId };
    await seedExecutions(
      store.database,
      subject,
      () => texts,
      records,
      (rows) => bar.advance(rows),
      span,
    );
  }
  bar.end();

  const isThere = async (until: number): Promise<boolean> =>
    (await readDays(store.database)).some((day) => day.until.getTime() === until);
  let kept = keptDays + rounds;

  /** The oldest day that has records goes. */
  async function drop(): Promise<number> {
    await sleep(beginsMs);
    const began = performance.now();
    const answer = await scene.caller.put(`/logic/environments/${demo.environmentId}/retention`, { days: --kept });
    if (answer.status !== 200) throw new Error(answer.text);
    while (await isThere(startOfDay(Date.now()) - kept * dayMs)) await sleep(50);
    return (performance.now() - began) / 1000;
  }

  await load(target, { connections, seconds });
  const found = await inTurns<Measured | Dropped, 'quiet' | 'dropping'>(rounds, {
    quiet: () => load(target, { connections, seconds }),
    dropping: async () => {
      const [measured, tookS] = await Promise.all([load(target, { connections, seconds }), drop()]);
      return { measured, tookS };
    },
  });
  return reportOf(found.quiet as Measured[], found.dropping as Dropped[]);
}

function reportOf(quiet: readonly Measured[], dropping: readonly Dropped[]): Report {
  const beside = dropping.map(({ measured }) => measured);
  const p99 = (all: readonly Measured[]): number => median(all.map(({ p99Ms }) => p99Ms));
  const row = (name: string, all: readonly Measured[]): string[] => [
    name,
    median(all.map(({ perSecond }) => perSecond)).toFixed(0),
    median(all.map(({ p50Ms }) => p50Ms)).toFixed(1),
    p99(all).toFixed(1),
  ];
  const errors = [...quiet, ...beside].reduce((sum, measured) => sum + measured.errors, 0);
  return {
    parts: [
      `Executions, ${connections} connections, ${seconds} s; the server drops a day of ${records} records meanwhile:`,
      { headings: ['', 'per s', 'p50 ms', 'p99 ms'], rows: [row('quiet', quiet), row('dropping', beside)] },
    ],
    wanted: [
      atMost(
        'Seconds from the new retention until the day is gone',
        Math.max(...dropping.map(({ tookS }) => tookS)),
        10,
      ),
      atMost('The 99th percentile beside it, times the quiet one', p99(beside) / p99(quiet), 1.2),
      { text: 'Every execution was answered with 201', met: errors === 0 },
    ],
    found: { records, seconds, quiet, dropping },
  };
}

await measure('days', run);
