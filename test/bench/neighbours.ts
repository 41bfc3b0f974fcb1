import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { paceAt } from '../../src/config/pace.js';
import { doubling } from '../support/models.js';
import { buildScene, type Scene } from '../support/scene.js';
import { startAttacker } from './attacker.js';
import type { AttackKind } from './attacks.js';
import { measure, setting, type Bed } from './bed.js';
import { deployModel, targetOf, type Executable } from './decision.js';
import { totals } from './load.js';
import { atMost, type Report, type Wanted } from './report.js';
import { steadily, type Steady } from './steady.js';

// `make bench-neighbours`: how long small executions of one tenant take beside each attack of another one, and alone before
// and after it. SECONDS=10 each, RATE=50 a second, ATTACK=H4 for one of them; more are H1,H2.

const seconds = setting('SECONDS', 10);
const perSecond = setting('RATE', 50);
/** Milliseconds by which the longest wait may grow. */
const wantedMs = 250;

/** A tenant that does nothing wrong. */
interface Neighbour extends Executable {
  readonly scene: Scene;
  /** Executions that are to be erased: one alone, one beside the attack. */
  readonly recorded: string[];
}

/** What a neighbour is promised besides, in milliseconds. */
interface Promised {
  readonly what: string;
  readonly wantedMs: number;
  readonly find: (neighbour: Neighbour) => Promise<number>;
}

interface Line {
  readonly name: string;
  readonly kind: AttackKind;
  readonly connections: number;
  readonly promised?: Promised;
}

const minute = 60_000;
const everyMs = paceAt(1).monitorEvery;
const erasure: Promised = { what: 'until one execution is erased', wantedMs: minute, find: timeOfErasure };
const monitor: Promised = { what: 'between two looks at a monitor', wantedMs: 2 * everyMs, find: timeBetweenLooks };
const counted: Promised = { what: 'until 30 executions are measured', wantedMs: minute, find: timeOfCounting };

/** Monitors go on to the end, so they are last. */
const lines: readonly Line[] = [
  { name: 'C1', kind: 'heldBytes', connections: 6 },
  { name: 'H1', kind: 'largeErasures', connections: 1 },
  { name: 'H2', kind: 'manyErasures', connections: 1, promised: erasure },
  { name: 'H4', kind: 'longTitles', connections: 8 },
  { name: 'H5', kind: 'measuredFields', connections: 3 },
  { name: 'H8', kind: 'manyWorkspaces', connections: 60 * 12 },
  { name: 'M1', kind: 'manyCounters', connections: 1, promised: counted },
  { name: 'M2', kind: 'largeTools', connections: 1 },
  { name: 'M3', kind: 'largeAnswers', connections: 2 },
  { name: 'M4', kind: 'unfitAnswers', connections: 1 },
  { name: 'H3', kind: 'monitors', connections: 1, promised: monitor },
];
const names = process.env.ATTACK?.split(',');
const chosen = lines.filter(({ name }) => names?.includes(name) ?? true);

interface Found {
  readonly line: Line;
  readonly controls: readonly Steady[];
  readonly beside: Steady;
  /** The longest time of the processor for which the main thread let nobody in: the machine's other work counts for nothing. */
  readonly stretchMs: number;
  /** What the attacker got. */
  readonly answers: Readonly<Record<string, number>>;
  /** Alone and beside the attack. */
  readonly promised: readonly number[];
}

async function run(bed: Bed): Promise<Report> {
  const folder = mkdtempSync(join(tmpdir(), 'verdict-stretches-'));
  bed.ends(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'stretches');
  const preloaded = `--import=${new URL('../support/stretches.js', import.meta.url).href}`;
  const { baseUrl } = await bed.server({ LOG_LEVEL: 'silent', TEST_PACE: '1', STRETCHES_FILE: file }, [preloaded]);
  const found: Found[] = [];
  for (const line of chosen) {
    process.stderr.write(`${line.name}: ${line.kind} …\n`);
    found.push(await measured(line, { baseUrl, file }, bed));
  }
  return reportOf(found);
}

/** The server, and where the stretches stand for which its main thread let nobody in. */
interface Watched {
  readonly baseUrl: string;
  readonly file: string;
}

async function measured(line: Line, { baseUrl, file }: Watched, bed: Bed): Promise<Found> {
  const { kind, connections, promised } = line;
  const scene = await buildScene({ baseUrl });
  const target = await deployModel(scene, doubling(2), { x: 1 });
  const execute = async (): Promise<string> =>
    ((await scene.caller.post(target.path, { fact: { x: 1 } })).body as { id: string }).id;
  const neighbour = { scene, ...target, recorded: [await execute(), await execute()] };
  const send = (): Promise<Steady> => steadily(targetOf({ baseUrl }, neighbour), { perSecond, seconds });
  const alone = await promised?.find(neighbour);
  await send();
  const before = await send();
  const attacker = await startAttacker({ kind, tenants: 1, baseUrl, connections });
  bed.ends(() => attacker.end());
  writeFileSync(file, '');
  attacker.begin();
  const [beside, time] = await Promise.all([send(), promised?.find(neighbour)]);
  const stretchMs = Math.max(0, ...readFileSync(file, 'utf8').trim().split('\n').map(Number));
  const answers = await attacker.pause();
  attacker.end();
  const after = await send();
  const times = [alone, time].filter((each) => each !== undefined);
  return { line, controls: [before, after], beside, stretchMs, answers, promised: times };
}

/** Of an execution that is old enough beside the attack; alone it waits until all of it is counted. */
async function timeOfErasure({ scene, recorded }: Neighbour): Promise<number> {
  const id = recorded.pop();
  const from = performance.now();
  const asked = await scene.caller.post('/logic/erasures', { executionIds: [id] });
  const receipt = `/logic/erasures/${(asked.body as { id: string }).id}`;
  return until(from, async () => ((await scene.caller.get(receipt)).body as { status: string }).status === 'COMPLETED');
}

/** The longest of three times between two looks. */
async function timeBetweenLooks({ scene, environmentId, decisionId }: Neighbour): Promise<number> {
  const watched = { ...{ environmentId, decisionId }, measure: 'failed', window: '1h', condition: '> 0.5' };
  const { id } = (await scene.caller.post('/logic/monitors', { ...watched, name: 'Watched' })).body as { id: string };
  const looked = async (): Promise<string | null> =>
    ((await scene.caller.get(`/logic/monitors/${id}`)).body as { lookedAt: string | null }).lookedAt;
  const times: number[] = [];
  for (let look = 0; look < 3; look++) {
    const last = await looked();
    times.push(await until(performance.now(), async () => (await looked()) !== last));
  }
  await scene.caller.delete(`/logic/monitors/${id}`);
  return Math.max(...times);
}

/** Of executions of another decision, from the last one on. */
async function timeOfCounting({ scene }: Neighbour): Promise<number> {
  const { path, decisionId } = await deployModel(scene, doubling(3), { x: 1 }, `${randomUUID()}.json`);
  for (let at = 0; at < 30; at++) await scene.caller.post(path, { fact: { x: at } });
  return until(performance.now(), async () => {
    const { body } = await scene.caller.get(`/logic/measures?decisionId=${decisionId}&step=day`);
    return (body as { data: { count: number }[] }).data.reduce((sum, { count }) => sum + count, 0) >= 30;
  });
}

/** Milliseconds since then when something holds, at most five minutes. */
async function until(from: number, holds: () => Promise<boolean>): Promise<number> {
  while (performance.now() - from < 5 * minute && !(await holds())) await sleep(100);
  return performance.now() - from;
}

const shown = (ms: number): string => ms.toFixed(0);
/** By how much the longest wait beside an attack is longer than that of both controls. */
const moreMs = (controls: readonly Steady[], beside: Steady): number =>
  beside.longestMs - Math.max(...controls.map(({ longestMs }) => longestMs));

function reportOf(found: readonly Found[]): Report {
  const rows = found.map(({ line, controls, beside, stretchMs }) => {
    const all = [...controls, beside].flatMap(({ longestMs, p99Ms }) => [longestMs, p99Ms]);
    const more = moreMs(controls, beside);
    return [
      `${line.name} ${line.kind}`,
      ...[...all, more, stretchMs].map(shown),
      listed(beside.others) || '0',
      more <= wantedMs ? 'yes' : 'no',
    ];
  });
  return {
    parts: [
      `${perSecond} small executions a second of another tenant for ${seconds} s each. The longest wait before, after and beside, and how much more than the longer of both controls:`,
      {
        headings: [
          ...['attack', 'before ms', 'p99', 'after ms', 'p99', 'beside ms', 'p99', 'more', 'stretch', 'refused'],
          'holds',
        ],
        rows,
      },
      ...found.map(({ line, answers }) => `${line.name} got ${listed(answers)}.`),
    ],
    wanted: found.flatMap(wantedOf),
    found: { seconds, perSecond, attacks: found },
  };
}

function wantedOf({ line, controls, beside, promised }: Found): Wanted[] {
  const more = moreMs(controls, beside);
  const refused = Object.values(totals([beside, ...controls].map(({ others }) => others))).reduce(
    (sum, n) => sum + n,
    0,
  );
  return [
    atMost(`${line.name}: ms by which the longest wait grew`, more, wantedMs),
    atMost(`${line.name}: requests of the neighbour that were refused or failed`, refused, 0),
    ...promised.map((ms, at) =>
      atMost(
        `${line.name}: ms ${line.promised?.what}, ${at === 0 ? 'alone' : 'beside it'}`,
        ms,
        line.promised?.wantedMs ?? 0,
      ),
    ),
  ];
}

const listed = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .map(([label, count]) => `${count} × ${label}`)
    .join(', ');

await measure('neighbours', run);
