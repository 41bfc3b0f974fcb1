import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { expect } from 'chai';
import { engineNumber } from '../../workers/engine/index.js';
import { parseRow } from './rows.js';

/**
 * Holds the engine's number to the golden results: `results.txt` has a line for each golden case, a hash of what is computed
 * and one of its result, below the number that they are of. `UPDATE=1` adds new cases; a changed result asks for a higher
 * number first (workers/engine/number.ts).
 */
const folder = new URL('../../../test/golden/', import.meta.url);
const recordPath = new URL('results.txt', folder);
const update = process.env['UPDATE'] === '1';

const read = (path: string): string => readFileSync(new URL(path, folder), 'utf8');
const hashOf = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 12);

/** Results by what is computed, both as hashes. */
function goldenResults(): Map<string, string> {
  const results = new Map<string, string>();
  for (const file of readdirSync(new URL('./', folder)).sort()) {
    if (!file.endsWith('.csv')) continue;
    for (const line of read(file).split('\n')) {
      if (line.trim() === '' || line.startsWith('# ')) continue;
      const [expression, input, output] = parseRow(line);
      results.set(hashOf([file.startsWith('unary'), expression, input]), hashOf(output));
    }
  }
  const models = readdirSync(new URL('models/', folder)).sort();
  // They name one another.
  const all = models.map((file) => JSON.parse(read(`models/${file}`)) as Golden);
  const graphs = hashOf(all.map(({ nodes, edges }) => [nodes, edges]));
  for (const [index, { tests }] of all.entries()) {
    for (const { input, output } of tests) results.set(hashOf([graphs, models[index], input]), hashOf(output));
  }
  return results;
}

interface Golden {
  readonly nodes: unknown;
  readonly edges: unknown;
  readonly tests: readonly { readonly input: unknown; readonly output: unknown }[];
}

function recorded(): { readonly number: number; readonly results: Map<string, string> } {
  if (!existsSync(recordPath)) return { number: 0, results: new Map() };
  const [first = '', ...lines] = readFileSync(recordPath, 'utf8').trim().split('\n');
  const pairs = lines.map((line): [string, string] => [line.slice(0, 12), line.slice(13)]);
  return { number: Number(first), results: new Map(pairs) };
}

function writeRecord(results: ReadonlyMap<string, string>): void {
  const lines = [...results].map(([key, result]) => `${key} ${result}`);
  writeFileSync(recordPath, `${[engineNumber, ...lines].join('\n')}\n`);
}

describe("the engine's number", () => {
  it('is raised when a golden result changes', () => {
    const golden = goldenResults();
    const { number, results } = recorded();
    expect(number, 'the number never goes back').to.be.at.most(engineNumber);
    const changed = [...golden].filter(([key, result]) => (results.get(key) ?? result) !== result);
    if (number === engineNumber) expect(changed, 'results of the same engine').to.deep.equal([]);
    if (update) writeRecord(golden);
    expect(recorded(), 'UPDATE=1 writes it').to.deep.equal({ number: engineNumber, results: golden });
  });
});
