import { readdirSync } from 'node:fs';
import path from 'node:path';
import { openProgress, type Progress } from '../../../src/cli/progress.js';
import type { Value } from '../../../workers/engine/index.js';
import { readSuite } from '../../conformance/suite.js';
import { publish } from '../report.js';
import { base } from '../version.js';
import { measureDmn } from './dmn.js';
import { soak } from './memory.js';
import { measureOurs, programOf, repeat } from './ours.js';
import { Package } from './package.js';
import { engineReport, isSlow, type Bench, type ModelTimes, type TableTimes } from './report.js';
import { factOfRow, tableModel } from './tables.js';
import { compareVersions } from './versions.js';

// What `make bench-engine` executes: `main.js <suite folder>`. With BASE=a folder with another version, built, that one is compared.

const [folder = ''] = process.argv.slice(2);
/** How long each way of running each model is measured. */
const milliseconds = Number(process.env['MS'] ?? 150);
const soakRuns = 1_000_000;
const tableRows = [3000, 8000];

if (folder === '') {
  process.stdout.write("Name the models' folder: make bench-engine SUITE=../shared/zen-suite, or the kit's of DMN\n");
  process.exitCode = 2;
} else if (readdirSync(folder).some((name) => name.startsWith('compliance-level-'))) {
  publish('engine-dmn', await measureDmn(path.resolve(folder), milliseconds));
} else if (base !== undefined) {
  publish('engine-versions', compareVersions(base, path.resolve(folder)));
} else {
  publish('engine', engineReport(await measureAll(path.resolve(folder))));
}

async function measureAll(suiteFolder: string): Promise<Bench> {
  const { graphs } = readSuite(suiteFolder);
  const peer = new Package();
  const progress = openProgress(process.stderr, 'measuring', graphs.length + tableRows.length + soakRuns / 100_000);
  const models: ModelTimes[] = [];
  for (const { key, model, tests } of graphs) {
    const facts = tests.map(({ input }) => input);
    if (facts.length > 0) models.push({ name: key, ...(await compared(peer, model, facts)) });
    progress.advance();
  }
  const tables: TableTimes[] = [];
  for (const rows of tableRows) {
    tables.push(await measureTable(peer, rows));
    progress.advance();
  }
  peer.close();
  const memory = soakOne(graphs, progress);
  progress.end();
  return { models, tables, memory };
}

/** Measures again what seems slow, once: other work on the machine slows down single models. */
async function compared(peer: Package, model: unknown, facts: readonly unknown[]): Promise<Omit<ModelTimes, 'name'>> {
  const times = async () => ({
    ours: await measureOurs(model, facts, milliseconds),
    theirs: await peer.measure({ model, facts, milliseconds }),
  });
  const scripted = programOf(model).async;
  const first = await times();
  return { ...(isSlow(first) && !scripted ? await times() : first), scripted };
}

async function measureTable(peer: Package, rows: number): Promise<TableTimes> {
  const model = tableModel(rows);
  const facts = [0, Math.floor(rows / 2), rows - 1].map(factOfRow);
  const all = await compared(peer, model, facts);
  const program = programOf(model);
  const of = async (row: number) => {
    await repeat(program, [factOfRow(row) as Value], { trace: false, milliseconds });
    return repeat(program, [factOfRow(row) as Value], { trace: false, milliseconds });
  };
  return { rows, ...all, firstRow: await of(0), lastRow: await of(rows - 1) };
}

/** A million runs of the first model without function nodes. */
function soakOne(graphs: ReturnType<typeof readSuite>['graphs'], progress: Progress): Bench['memory'] {
  const graph = graphs.find(({ model, tests }) => tests.length > 0 && !programOf(model).async);
  if (graph === undefined) return [];
  let done = 0;
  return soak(programOf(graph.model), graph.tests[0]?.input ?? null, soakRuns, (runs) => {
    done += runs;
    if (done % 100_000 === 0) progress.advance();
  });
}
