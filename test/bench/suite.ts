import { join, resolve } from 'node:path';
import { readSuite, type GraphFile } from '../conformance/suite.js';
import type { Model } from '../support/models.js';
import { buildScene, type Scene } from '../support/scene.js';
import { inTurns, measure, setting, type Bed } from './bed.js';
import { deployModel, type Executable } from './decision.js';
import { load, type Measured } from './load.js';
import { median, quantile, ratioOf } from './numbers.js';
import type { Report, Wanted } from './report.js';
import { startPeers, targetsOf } from './targets.js';

// `make bench-suite`: executions and traced evaluations of each model of a public suite, beside bare Fastify with the npm
// package, in turns. SECONDS=0.4 a measurement, ROUNDS=3 of them, CONNECTIONS=32, PROCESSES=1 of the server.

/** One model of the suite. */
interface ModelRow {
  readonly name: string;
  readonly nodes: number;
  /** By the names of the targets; the rounds of all took turns. */
  readonly measured: Readonly<Record<string, readonly Measured[]>>;
}

/** What is compared with what, and the least that is wanted of the models' median. */
const comparisons = [
  { ours: 'execution', peer: 'fastify', wanted: 0.7 },
  { ours: 'evaluation (traced)', peer: 'fastify-traced', wanted: 2 },
] as const;
type Comparison = (typeof comparisons)[number];

/** Compiled code of a process that has just started is slow for seconds; of a model that is new to it, for a moment. */
const warmSeconds = { process: 5, model: 1 };

async function measureSuite(bed: Bed, suiteFolder: string): Promise<Report> {
  const graphs = readSuite(suiteFolder).graphs.filter(({ tests }) => tests.length > 0);
  const paths = graphs.map(({ name }) => join(suiteFolder, name));
  const peers = await startPeers(
    { ...bed, databaseUrl: bed.services.databaseUrl },
    ['fastify', 'fastify-traced'],
    paths,
  );
  const server = await bed.server({ HTTP_PROCESSES: process.env.PROCESSES ?? '1' });
  const deployed = await deployAll(await buildScene(server), graphs);
  const connections = setting('CONNECTIONS', 32);
  const rows: ModelRow[] = [];
  for (const [index, { key, model, tests }] of graphs.entries()) {
    const targets = [...peers(index), ...targetsOf(server, deployed[index]!, [])];
    const send = (seconds: number): [string, () => Promise<Measured>][] =>
      targets.map(([name, of]) => [
        name,
        () =>
          load(
            of(() => tests[0]?.input as object),
            { connections, seconds },
          ),
      ]);
    for (const [, warm] of send(index === 0 ? warmSeconds.process : warmSeconds.model)) await warm();
    const measured = await inTurns(setting('ROUNDS', 3), Object.fromEntries(send(setting('SECONDS', 0.4))));
    rows.push({ name: key, nodes: (model as { readonly nodes: readonly unknown[] }).nodes.length, measured });
  }
  return suiteReport(rows);
}

async function deployAll(scene: Scene, graphs: readonly GraphFile[]): Promise<Executable[]> {
  const deployed: Executable[] = [];
  for (const { key, model, tests } of graphs)
    deployed.push(await deployModel(scene, model as Model, tests[0]?.input as object, `${key}.json`));
  await scene.settled();
  return deployed;
}

/** Requests per second of each model, and how the ratios lie over all of them. */
function suiteReport(rows: readonly ModelRow[]): Report {
  const lines = rows.map((row) => [
    row.name,
    row.nodes,
    ...comparisons.flatMap((each) => cells(row, each)),
    errorsOf(row),
  ]);
  return {
    parts: [
      'Requests per second, medians of the rounds; ratio: ours to the peer beside it, the median of the rounds.',
      {
        headings: ['', 'nodes', ...comparisons.flatMap(({ ours, peer }) => [peer, ours, 'ratio']), 'errors'],
        rows: lines,
      },
    ],
    wanted: comparisons.map((comparison) => judged(rows, comparison)),
    found: { rows },
  };
}

function judged(rows: readonly ModelRow[], comparison: Comparison): Wanted {
  const { ours, peer, wanted } = comparison;
  const sorted = rows.map((row) => ratio(row, comparison)).sort((a, b) => a - b);
  const at = (share: number): string => quantile(sorted, share).toFixed(2);
  return {
    text:
      `${ours} to ${peer}: median ${median(sorted).toFixed(2)}, at least ${wanted} is wanted; a quarter of the models ` +
      `below ${at(0.25)}, a quarter above ${at(0.75)}, least ${at(0)}, most ${at(1)}; ` +
      `${sorted.filter((each) => each >= wanted).length} of ${sorted.length} reach it`,
    met: median(sorted) >= wanted,
  };
}

const speeds = ({ measured }: ModelRow, name: string): number[] =>
  (measured[name] ?? []).map(({ perSecond }) => perSecond);

const ratio = (row: ModelRow, { ours, peer }: Comparison): number => ratioOf(speeds(row, ours), speeds(row, peer));

const cells = (row: ModelRow, comparison: Comparison): string[] => [
  median(speeds(row, comparison.peer)).toFixed(0),
  median(speeds(row, comparison.ours)).toFixed(0),
  ratio(row, comparison).toFixed(2),
];

const errorsOf = ({ measured }: ModelRow): number =>
  Object.values(measured)
    .flat()
    .reduce((sum, { errors }) => sum + errors, 0);

const [folder = ''] = process.argv.slice(2);
if (folder !== '') await measure('suite', (bed) => measureSuite(bed, resolve(folder)));
else {
  process.stdout.write("Name the models' folder: make bench-suite SUITE=../shared/zen-suite\n");
  process.exitCode = 2;
}
