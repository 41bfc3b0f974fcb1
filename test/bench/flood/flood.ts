import { openProgress } from '../../../src/cli/progress.js';
import { table } from '../../../src/cli/table.js';
import type { Model } from '../../support/models.js';
import { startServer, type ServerProcess } from '../../support/process.js';
import { buildScene } from '../../support/scene.js';
import { chain, script } from '../../support/tasks.js';
import { openBed } from '../bed.js';
import { Connection, requestBytes } from '../connection.js';
import { deployDecision, deployModel, type Executable } from '../decision.js';
import { median } from '../quantile.js';
import { resultFile } from '../results.js';
import { load, type Measured } from '../tune/generator.js';

// `make bench-flood`: what one workspace's endless loops and heap bombs cost another workspace. SECONDS=5 a measurement,
// ROUNDS=3 without and with the flood in turns, CONNECTIONS=8 good ones, FLOOD=16 bad ones, PROCESSES=1.

const number = (name: string, fallback: number): number => Number(process.env[name] ?? fallback);
const seconds = number('SECONDS', 5);
const rounds = number('ROUNDS', 3);
const connections = number('CONNECTIONS', 8);
const flooders = number('FLOOD', 16);
const wantedFactor = 3;

const handler = (body: string): Model => chain(script(`export const handler = async () => { ${body} }`)) as Model;
const endless = handler('for (;;) {}');
const bomb = handler('const all = []; for (;;) all.push(new Uint8Array(1e6).fill(1))');

const bed = await openBed('flood');
let server: ServerProcess | undefined;
try {
  server = await startServer({ LOG_LEVEL: 'silent', HTTP_PROCESSES: process.env.PROCESSES ?? '1' });
  await measureAll(server);
} finally {
  await server?.stop();
  await bed.stop();
}

async function measureAll({ baseUrl }: ServerProcess): Promise<void> {
  const good = { baseUrl, ...(await deployDecision(await buildScene({ baseUrl }))) };
  const hostile = await buildScene({ baseUrl });
  const bad = [await deployModel(hostile, endless, {}), await deployModel(hostile, bomb, {}, 'bomb.json')];
  await hostile.settled();
  const options = { connections, seconds, targetMs: Infinity };
  await load(good, options);

  const quiet: Measured[] = [];
  const flooded: Measured[] = [];
  const answers = new Map<string, number>();
  const bar = openProgress(process.stderr, 'Measuring', 2 * rounds);
  for (let round = 0; round < rounds; round++) {
    quiet.push(await load(good, options));
    bar.advance();
    const flood = startFlood(baseUrl, bad, answers);
    flooded.push(await load(good, options));
    await flood.stop();
    bar.advance();
  }
  bar.end();
  show(quiet, flooded, answers);
}

/** Each connection sends one bad request after the other, at once and whatever comes back. */
function startFlood(
  baseUrl: string,
  bad: readonly Executable[],
  answers: Map<string, number>,
): { stop(): Promise<void> } {
  let going = true;
  const loop = async (request: Buffer): Promise<void> => {
    const connection = new Connection(baseUrl);
    while (going) {
      const answer = await connection.send(request);
      const { code = '' } = JSON.parse(answer?.body ?? '{}') as { code?: string };
      const label = answer === undefined ? 'network' : `${answer.status} ${code}`;
      answers.set(label, (answers.get(label) ?? 0) + 1);
    }
    connection.close();
  };
  const requests = bad.map((each) => requestBytes({ method: 'POST', baseUrl, ...each }));
  const running = Array.from({ length: flooders }, (_, index) =>
    loop(requests[index % requests.length] ?? Buffer.alloc(0)),
  );
  return {
    async stop() {
      going = false;
      await Promise.all(running);
    },
  };
}

function show(quiet: readonly Measured[], flooded: readonly Measured[], answers: ReadonlyMap<string, number>): void {
  const of = (all: readonly Measured[], name: keyof Measured): number => median(all.map((each) => each[name]));
  const failed = [...quiet, ...flooded].reduce(
    (sum, each) => sum + each.failed + Math.round(each.refusedPerSecond * seconds),
    0,
  );
  const row = (name: string, all: readonly Measured[]): unknown[] => [
    name,
    of(all, 'perSecond').toFixed(0),
    of(all, 'p50Ms').toFixed(1),
    of(all, 'p99Ms').toFixed(1),
    all.map(({ p99Ms }) => p99Ms.toFixed(1)).join(' '),
  ];
  const factor = of(flooded, 'p99Ms') / of(quiet, 'p99Ms');
  const good = factor <= wantedFactor && failed === 0;
  const lines = [
    `${connections} good connections, ${flooders} bad ones, ${rounds} rounds of ${seconds} s in turns:`,
    table(
      ['good executions', 'per s', 'p50 ms', 'p99 ms', 'p99 of rounds'],
      [row('alone', quiet), row('beside the flood', flooded)],
    ),
    `p99 beside the flood is ${factor.toFixed(2)} times the one alone; at most ${wantedFactor} is wanted.`,
    `Good requests that failed or were refused: ${failed}; none is wanted.`,
    `The flood got: ${[...answers].map(([label, count]) => `${count} × ${label}`).join(', ')}.`,
    good ? 'Both are met.' : 'NOT met.',
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
  const found = {
    node: process.version,
    connections,
    flooders,
    seconds,
    factor,
    failed,
    quiet,
    flooded,
    answers: Object.fromEntries(answers),
  };
  process.stdout.write(`Saved as ${resultFile('flood')('json', `${JSON.stringify(found, null, 2)}\n`)}\n`);
  if (!good) process.exitCode = 1;
}
