import { setTimeout as sleep } from 'node:timers/promises';
import { openProgress } from '../../../src/cli/progress.js';
import type { ServerProcess } from '../../support/process.js';
import { testDatabase } from '../../support/scene.js';
import { measure, setting, type Bed } from '../bed.js';
import type { Report } from '../report.js';
import { Asker } from './asker.js';
import { redeploy } from './deployer.js';
import type { Soak } from './judge.js';
import { recordedIn } from './ledger.js';
import { draw, mix, type KindName } from './mix.js';
import { createRandom } from './random.js';
import { soakReport } from './report.js';
import { endless } from './runs.js';
import { Tally } from './tally.js';
import { startWatch } from './watch.js';
import { Weather } from './weather.js';
import { buildWorld, type World } from './world.js';

// `make soak`: a mixed load while deployments change under it; at the end every answer is held against the database.
// SECONDS=60, or COUNT executions; CONNECTIONS=16 PROCESSES=1 SEED; KINDS=execution,… of the mix.

const { env } = process;
const count = env.COUNT === undefined ? undefined : Number(env.COUNT);
const seconds = count === undefined ? setting('SECONDS', 60) : Infinity;
const connections = setting('CONNECTIONS', 16);
const processes = setting('PROCESSES', 1);
const seed = setting('SEED', Date.now() % 2 ** 31);
const kinds = (env.KINDS?.split(',') ?? Object.keys(mix)) as KindName[];

/** What contract.md lets another process lag behind; one alone must not. */
const graceMs = processes > 1 ? 1000 : 0;
/** A server that has just begun has one thread, and compiles what it runs, on a machine that is busy already. */
const coldStart = ['503 overloaded', '504 engine_timeout'];
const deployEveryMs = 150;
const endlessEveryMs = 1500;

const say = (text: string): void => void process.stderr.write(`${text}\n`);

async function run(bed: Bed): Promise<Report> {
  const unknown = kinds.filter((name) => !(name in mix));
  if (unknown.length > 0)
    throw new Error(`KINDS are some of ${Object.keys(mix).join(', ')}; not ${unknown.join(', ')}`);
  say(`Seed ${seed}; SEED=${seed} repeats the choices.`);
  const settings = { LOG_LEVEL: 'error', HTTP_PROCESSES: String(processes), RUN_TIMEOUT_MS: '1000' };
  const server = await bed.server(settings);
  const world = await buildWorld(server, graceMs);
  const tally = new Tally();
  const weather = new Weather();
  weather.begin(coldStart)();
  const started = performance.now();
  const watch = startWatch({ server, others: bed.watched, databaseUrl: bed.services.databaseUrl }, tally);
  await sendAll(server, world, { tally, weather });
  const took = (performance.now() - started) / 1000;
  await watch.stop();
  const auditFrom = performance.now();
  const audited = await audit(world);
  const report = soakReport({
    about: { seed, seconds: took, processes, connections },
    kinds: tally.summary(),
    audit: audited,
    auditSeconds: (performance.now() - auditFrom) / 1000,
    findings: tally.findings,
    seconds: watch.seconds,
    memory: watch.memory,
  });
  if (report.wanted?.some(({ met }) => !met)) say(server.log().slice(-shownLog));
  return report;
}

/** Characters of the server's log that are shown where something is not well. */
const shownLog = 20_000;

async function sendAll(
  running: ServerProcess,
  world: World,
  { tally, weather }: { readonly tally: Tally; readonly weather: Weather },
): Promise<void> {
  const until = performance.now() + seconds * 1000;
  const going = (): boolean => performance.now() < until && world.ledger.acknowledged < (count ?? Infinity);
  const loop = async (work: (asker: Asker) => Promise<void>, everyMs: number): Promise<void> => {
    const asker = new Asker(running.baseUrl, tally, weather);
    while (going()) {
      await work(asker);
      if (everyMs > 0) await sleep(everyMs);
    }
    asker.close();
  };
  const random = createRandom(seed);
  const clients = Array.from({ length: connections }, () =>
    loop((asker) => draw(kinds, random)(asker, world, random), 0),
  );
  const progress = showProgress(world, tally);
  await Promise.all([
    ...clients,
    loop((asker) => redeploy(asker, world, random), deployEveryMs),
    // Named kinds are measured alone.
    ...(env.KINDS === undefined ? [loop((asker) => endless(asker, world, random), endlessEveryMs)] : []),
  ]);
  progress.end();
}

/** A bar on a terminal; elsewhere a line every minute. */
function showProgress(world: World, tally: Tally): { end(): void } {
  const bar = openProgress(process.stderr, 'Soaking', count ?? seconds);
  const begun = performance.now();
  const elapsed = (): number => Math.floor((performance.now() - begun) / 1000);
  let shown = 0;
  const advance = (): void => {
    const done = count === undefined ? elapsed() : world.ledger.acknowledged;
    bar.advance(done - shown);
    shown = done;
  };
  const line = (): void =>
    say(
      `${Math.round(elapsed() / 60)} min: ${tally.requests} requests, ${world.ledger.acknowledged} executions, ` +
        `${tally.findings.length} kinds of findings`,
    );
  const timers = [setInterval(advance, 500), ...(process.stderr.isTTY ? [] : [setInterval(line, 60_000)])];
  return {
    end() {
      for (const timer of timers) clearInterval(timer);
      bar.end();
    },
  };
}

async function audit(world: World): Promise<Soak['audit']> {
  const bar = openProgress(process.stderr, 'Holding every answer against the database', world.ledger.acknowledged);
  const workspaces = [world.scene.workspaceId, world.hostile.scene.workspaceId];
  const found = await world.ledger.audit(recordedIn(testDatabase(), workspaces), (rows) => bar.advance(rows));
  bar.end();
  return found;
}

await measure('soak', run);
