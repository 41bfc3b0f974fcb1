import { cpus } from 'node:os';
import { exportedTable, withTable } from '../support/sheets.js';

// What a table of 10,000 rows of 40 columns costs as a file, both ways, in processor time of one thread.
const rounds = Number(process.env['ROUNDS'] ?? 5);
const [rowCount, columnCount] = [10_000, 40];

const ids = Array.from({ length: columnCount }, (_, index) => `c${index}`);
const cellOf = (row: number, column: number): string =>
  [`"text ${row % 100}"`, `[${row}..${row + column}]`, String(row * column), `> ${row}.5`][column % 4] ?? '';
const columns = (of: readonly string[]): object[] => of.map((id) => ({ id, name: `Column ${id}`, field: id }));
const rules = Array.from({ length: rowCount }, (_row, row): Record<string, string> =>
  Object.fromEntries<string>([
    ['_id', `row-${row}`],
    ...ids.map((id, column): [string, string] => [id, cellOf(row, column)]),
  ]),
);
const content = { hitPolicy: 'first', inputs: columns(ids.slice(0, 30)), outputs: columns(ids.slice(30)), rules };
const text = JSON.stringify({ nodes: [{ id: 't', type: 'decisionTableNode', name: 'T', content }], edges: [] });

const say = (line: string): void => void process.stdout.write(`${line}\n`);

function measured<T>(what: string, work: () => T): T {
  const times: number[] = [];
  let result: T | undefined;
  for (let round = 0; round < rounds; round++) {
    const from = process.cpuUsage();
    result = work();
    const { user, system } = process.cpuUsage(from);
    times.push((user + system) / 1000);
  }
  const [best = 0] = times.sort((one, other) => one - other);
  say(`${what.padEnd(12)} ${best.toFixed(0).padStart(5)} ms of the processor (best of ${rounds})`);
  return result as T;
}

say(
  `${rowCount} rows of ${columnCount} columns, ${(text.length / 2 ** 20).toFixed(1)} MiB of JSON, ${cpus()[0]?.model ?? ''}`,
);
for (const format of ['xlsx', 'csv'] as const) {
  const bytes = measured(`out .${format}`, () => exportedTable(text, 't', format));
  const { model } = measured(`in .${format}`, () => withTable(text, 't', { bytes, format }));
  if (model !== text) throw new Error(`what came in by .${format} is another model`);
}
