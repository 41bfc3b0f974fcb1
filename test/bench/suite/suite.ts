import { join, resolve } from 'node:path';
import { openProgress } from '../../../src/cli/progress.js';
import { readSuite, type GraphFile } from '../../conformance/suite.js';
import type { Model } from '../../support/models.js';
import { startServer } from '../../support/process.js';
import { buildScene, type Scene } from '../../support/scene.js';
import { openBed } from '../bed.js';
import { deployModel, type Executable } from '../decision.js';
import { load, type Measured } from '../http/load.js';
import { startPeers, targetsOf, type Peers, type Targets } from '../http/targets.js';
import { resultFile } from '../results.js';
import { areMet, reportText, type ModelRow } from './report.js';

// `make bench-suite`: executions and traced evaluations of each model of a public suite, beside bare Fastify with the npm
// package, in turns. SECONDS=0.4 a measurement, ROUNDS=3 of them, CONNECTIONS=32, PROCESSES=1 of the server.

const seconds = Number(process.env.SECONDS ?? 0.4);
const rounds = Number(process.env.ROUNDS ?? 3);
const connections = Number(process.env.CONNECTIONS ?? 32);
const processes = process.env.PROCESSES ?? '1';
/** Compiled code of a process that has just started is slow for seconds; of a model that is new to it, for a moment. */
const warmSeconds = { process: 5, model: 1 };
const [folder = ''] = process.argv.slice(2);

if (folder === '') {
  process.stdout.write("Name the models' folder: make bench-suite SUITE=../shared/zen-suite\n");
  process.exitCode = 2;
} else await measureSuite(resolve(folder));

async function measureSuite(suiteFolder: string): Promise<void> {
  const graphs = readSuite(suiteFolder).graphs.filter(({ tests }) => tests.length > 0);
  const paths = graphs.map(({ name }) => join(suiteFolder, name));
  const bed = await openBed('suite');
  let peers: Peers | undefined;
  try {
    peers = await startPeers(['fastify', 'fastify-traced'], paths);
    const server = await startServer({ LOG_LEVEL: 'warn', HTTP_PROCESSES: processes });
    try {
      const ours = await deployAll(await buildScene(server), graphs);
      const targets = ours.map((each, index) => [...(peers?.targetsOf(index) ?? []), ...targetsOf(server, each, [])]);
      show(
        await measureAll(
          graphs,
          targets.map((each) => new Map(each)),
        ),
      );
    } finally {
      await server.stop();
    }
  } finally {
    peers?.stop();
    await bed.stop();
  }
}

async function deployAll(scene: Scene, graphs: readonly GraphFile[]): Promise<Executable[]> {
  const deployed: Executable[] = [];
  for (const { key, model, tests } of graphs)
    deployed.push(await deployModel(scene, model as Model, tests[0]?.input as object, `${key}.json`));
  await scene.settled();
  return deployed;
}

async function measureAll(graphs: readonly GraphFile[], targets: readonly Targets[]): Promise<ModelRow[]> {
  const bar = openProgress(process.stderr, 'Measuring', graphs.length);
  const rows: ModelRow[] = [];
  for (const [index, { key, model, tests }] of graphs.entries()) {
    const all: Targets = targets[index] ?? new Map();
    const fact = tests[0]?.input as object;
    for (const [, target] of all)
      await load(target(fact), connections, index === 0 ? warmSeconds.process : warmSeconds.model);
    const measured = new Map<string, Measured[]>(Array.from(all.keys(), (name) => [name, []]));
    for (let round = 0; round < rounds; round++)
      for (const [name, target] of all) measured.get(name)?.push(await load(target(fact), connections, seconds));
    rows.push({
      name: key,
      nodes: (model as { readonly nodes: readonly unknown[] }).nodes.length,
      measured: Object.fromEntries(measured),
    });
    bar.advance();
  }
  bar.end();
  return rows;
}

function show(rows: readonly ModelRow[]): void {
  process.stdout.write(`${reportText(rows)}\n`);
  const found = { node: process.version, seconds, rounds, connections, processes: Number(processes), rows };
  process.stdout.write(`Saved as ${resultFile('suite')('json', `${JSON.stringify(found, null, 2)}\n`)}\n`);
  if (!areMet(rows)) process.exitCode = 1;
}
