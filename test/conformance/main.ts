import path from 'node:path';
import Table from 'cli-table3';
import { openProgress } from '../../src/cli/progress.js';
import { checkSuite, type Failure, type Report } from './check.js';
import { readSuite, type Suite } from './suite.js';

// What `make conformance` executes: `main.js <folder> [<moment at which the clock stands>]`.

/** Characters of a line that are printed. */
const longestLine = 1000;
const [folder = '', moment = ''] = process.argv.slice(2);
const say = (line: string): void => void process.stdout.write(`${line}\n`);
process.exitCode = await conform();

async function conform(): Promise<number> {
  const now = clockOf(moment);
  if (folder === '' || now === undefined) {
    say("Name the vectors' folder: make conformance SUITE=../shared/zen-suite [NOW=2025-01-31T12:00:00Z]");
    return 2;
  }
  let suite: Suite;
  try {
    suite = readSuite(path.resolve(folder));
  } catch (error) {
    say(error instanceof Error ? error.message : String(error));
    return 2;
  }
  const reports: Report[] = [];
  const progress = openProgress(process.stderr, 'vectors', sizeOf(suite));
  for await (const report of checkSuite(suite, now, () => progress.advance())) reports.push(report);
  progress.end();
  print(reports);
  return reports.some(({ failures }) => failures.length > 0) ? 1 : 0;
}

/** The clock, frozen where a moment is given; undefined for a moment that is none. */
function clockOf(text: string): (() => number) | undefined {
  if (text === '') return Date.now;
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : () => at;
}

function sizeOf({ rowFiles, graphs }: Suite): number {
  const rows = rowFiles.reduce((sum, file) => sum + file.rows.length, 0);
  return rows + graphs.reduce((sum, file) => sum + file.tests.length, 0);
}

function print(reports: readonly Report[]): void {
  const table = new Table({
    head: ['file', 'rows', 'passed', 'on its day', 'open', 'follows the clock', 'failed'],
    colAligns: ['left', 'right', 'right', 'right', 'right', 'right', 'right'],
    style: { head: [], border: [] },
  });
  const line = (name: string, of: readonly Report[]) => [
    name,
    sum(of, ({ count }) => count),
    sum(of, ({ passed }) => passed),
    sum(of, ({ metThen }) => metThen.length) || '',
    sum(of, ({ open }) => open.length) || '',
    sum(of, ({ moving }) => moving.length) || '',
    sum(of, ({ failures }) => failures.length) || '',
  ];
  table.push(...reports.map((report) => line(report.name, [report])), line('all', reports));
  say(table.toString());
  list(
    'Met on the day when they were made, whose moment they hold:',
    reports.flatMap(({ metThen }) => metThen),
  );
  list(
    'Not met, where the reference differs from its specification or its intent is open:',
    reports.flatMap(({ open }) => open),
  );
  list(
    'Not met, but only in parts that follow the clock:',
    reports.flatMap(({ moving }) => moving),
  );
  list(
    'Failed:',
    reports.flatMap(({ failures }) => failures),
  );
}

function sum(reports: readonly Report[], of: (report: Report) => number): number {
  return reports.reduce((total, report) => total + of(report), 0);
}

function list(title: string, failures: readonly Failure[]): void {
  if (failures.length === 0) return;
  say(`\n${title}`);
  for (const { place, source, expected, got } of failures) {
    say(`  ${place}  ${clip(source)}\n    expected ${clip(expected)}\n    got      ${clip(got)}`);
  }
}

function clip(text: string): string {
  return text.length > longestLine ? `${text.slice(0, longestLine)} …` : text;
}
