import { join, resolve } from 'node:path';
import { readSuite, type GraphFile } from '../conformance/suite.js';
import type { Model } from '../support/models.js';
import { buildScene, type Scene } from '../support/scene.js';
import { inTurns, measure, setting, type Bed } from './bed.js';
import { deployModel, type Executable } from './decision.js';
import { load, type Measured } from './load.js';
import type { Report } from './report.js';
import { suiteReport, type ModelRow } from './suiteReport.js';
import { startPeers, targetsOf } from './targets.js';

// `make bench-suite`: executions and traced evaluations of each model of a public suite, beside bare Fastify with the npm
// package, in turns. SECONDS=0.4 a measurement, ROUNDS=3 of them, CONNECTIONS=32, PROCESSES=1 of the server.

/** Compiled code of a process that has just started is slow for seconds; of a model that is new to it, for a moment. */
const warmSeconds = { process: 5, model: 1 };

async function measureSuite(bed: Bed, suiteFolder: string): Promise<Report> {
  const graphs = readSuite(suiteFolder).graphs.filter(({ tests }) => tests.length > 0);
  const paths = graphs.map(({ name }) => join(suiteFolder, name));
  const peers = await startPeers(bed, ['fastify', 'fastify-traced'], paths);
  const server = await bed.server({ HTTP_PROCESSES: process.env.PROCESSES ?? '1' });
  const deployed = await deployAll(await buildScene(server), graphs);
  const connections = setting('CONNECTIONS', 32);
  const rows: ModelRow[] = [];
  for (const [index, { key, model, tests }] of graphs.entries()) {
    const targets = [...peers(index), ...targetsOf(server, deployed[index]!, [])];
    const send = (seconds: number): [string, () => Promise<Measured>][] =>
      targets.map(([name, of]) => [name, () => load(of(tests[0]?.input as object), { connections, seconds })]);
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

const [folder = ''] = process.argv.slice(2);
if (folder !== '') await measure('suite', (bed) => measureSuite(bed, resolve(folder)));
else {
  process.stdout.write("Name the models' folder: make bench-suite SUITE=../shared/zen-suite\n");
  process.exitCode = 2;
}
