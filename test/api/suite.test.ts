import { execFile } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { projectRoot } from '../../db/root.js';
import { validate } from '../../workers/engine/index.js';
import { movingParts } from '../conformance/judge.js';
import { differences } from '../conformance/outcome.js';
import { readSuite, type GraphFile } from '../conformance/suite.js';
import { graphWays, resolverOf } from '../conformance/ways.js';
import { type TestApp, useApp } from '../support/app.js';
import { buildScene, type Scene } from '../support/scene.js';
import { remoteEnvironment } from '../support/remote.js';

/** The public vectors, where they are: beside the project, or where `ZEN_SUITE` says. */
const folder = process.env['ZEN_SUITE'] ?? path.join(projectRoot, '../shared/zen-suite');
const graphs = existsSync(path.join(folder, 'graphs')) ? readSuite(folder).graphs : [];

/** Graphs that no import takes, because an expression of theirs does not compile; `make conformance` runs them all the same. */
const faulty = graphs.filter(({ model }) =>
  validate(model, { knows: () => true }).some(({ severity }) => severity !== 'warning'),
);
const sound = graphs.filter((graph) => !faulty.includes(graph));

const cli = path.join(projectRoot, 'dist/cli/main.js');

/** Imports by the command line, in a process of its own; gives what it printed. */
async function importFrom(place: string, app: TestApp, { client, workspaceId }: Scene): Promise<string> {
  const args = [cli, 'decision', 'import', place, '--save', '--json'];
  const env = { PATH: process.env['PATH'], ...remoteEnvironment(app, { ...client, workspaceId }) };
  return (await promisify(execFile)(process.execPath, args, { env, maxBuffer: 2 ** 24 })).stdout;
}

/** Imports all sound graphs at once: the folder itself where all of them are. Decision ids by key. */
async function importSound(app: TestApp, scene: Scene): Promise<ReadonlyMap<string, string>> {
  const copies = mkdtempSync(path.join(tmpdir(), 'verdict-suite-'));
  for (const { name } of sound) copyFileSync(path.join(folder, name), path.join(copies, path.basename(name)));
  try {
    const text = await importFrom(faulty.length === 0 ? path.join(folder, 'graphs') : copies, app, scene);
    const { decisions } = JSON.parse(text) as { decisions: { id: string; key: string }[] };
    return new Map(decisions.map(({ key, id }) => [key, id]));
  } finally {
    rmSync(copies, { recursive: true });
  }
}

describe('the public graphs, imported and executed over HTTP', function () {
  const app = useApp();
  let scene: Scene;
  let environmentId: string;
  let ids: ReadonlyMap<string, string>;
  const resolve = resolverOf(graphs);

  before(async function () {
    if (graphs.length === 0) this.skip();
    this.timeout(600_000);
    scene = await buildScene(app);
    environmentId = await scene.environment();
    ids = await importSound(app, scene);
  });

  /** Deploys a graph and executes all of its tests. */
  async function executeAll({ key, tests }: GraphFile): Promise<unknown[]> {
    const id = ids.get(key) ?? ids.get(`${key}.json`);
    if (id === undefined) throw new Error(`${key} was not imported`);
    await scene.deploy(id, environmentId, 1);
    const results: unknown[] = [];
    for (const { input } of tests) {
      const answer = await scene.caller.post(`/logic/${environmentId}/decisions/${id}/executions`, { fact: input });
      expect(answer.status, answer.text).to.equal(201);
      expect(answer.body).to.include({ status: 'COMPLETED' });
      results.push((answer.body as { result: unknown }).result);
    }
    return results;
  }

  if (graphs.length === 0) it('needs the public vectors in ../shared/zen-suite or $ZEN_SUITE');
  for (const { key, name } of faulty) {
    it(`${key} is refused: an expression of it does not compile`, async () => {
      const refusal = await importFrom(path.join(folder, name), app, scene).catch((error: unknown) => error);
      expect(refusal).to.be.instanceOf(Error).with.property('code', 1);
    });
  }
  for (const graph of sound) {
    it(`${graph.key} gives the outputs of its ${graph.tests.length} tests`, async () => {
      const results = await executeAll(graph);
      for (const [index, { input, output }] of graph.tests.entries()) {
        const different = differences(results[index], output);
        if (different.length === 0) continue;
        // A vector may hold the moment of its making: exactly the parts that follow the clock are others today.
        const [plain] = graphWays(graph.key, input, resolve);
        const moving = await movingParts(plain!, Date.now());
        expect(
          different.filter((place) => !moving.has(place)),
          `test ${index + 1}`,
        ).to.deep.equal([]);
      }
    });
  }
});
