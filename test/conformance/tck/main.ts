import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import Table from 'cli-table3';
import { checkKit, type Checked } from './check.js';

// What `make tck` executes: `main.js <folder of the kit> [<part of a folder's name>]`.

const [kit = '', only = ''] = process.argv.slice(2);
const say = (line: string): void => void process.stdout.write(`${line}\n`);
const longestLine = 300;

if (kit === '') {
  say("Name the kit's folder: make tck SUITE=../shared/dmn-tck [ONLY=0004-lending]");
  process.exitCode = 2;
} else {
  const checked = [...checkKit(path.resolve(kit), only)];
  printFailures(checked);
  printLevels(checked);
  if (only === '') write(checked);
  process.exitCode = checked.every(({ passed }) => passed) ? 0 : 1;
}

function printFailures(checked: readonly Checked[]): void {
  const clip = (text: string): string => (text.length > longestLine ? `${text.slice(0, longestLine)} …` : text);
  for (const { folder, file, id, expected, got, passed } of checked) {
    if (!passed) say(`${folder}/${file} ${id}\n  expected ${clip(expected)}\n  got      ${clip(got)}`);
  }
}

function printLevels(checked: readonly Checked[]): void {
  const table = new Table({
    head: ['', 'cases', 'passed', '%', 'to the last digit', 'with a value', 'passed', '%', 'to the last digit'],
    colAligns: ['left', 'right', 'right', 'right', 'right', 'right', 'right', 'right', 'right'],
    style: { head: [], border: [] },
  });
  const counts = (cases: readonly Checked[]): (string | number)[] => {
    const passed = cases.filter((each) => each.passed).length;
    const exact = cases.filter((each) => each.exact).length;
    return [cases.length, passed, cases.length === 0 ? '' : ((passed / cases.length) * 100).toFixed(2), exact];
  };
  const line = (name: string, cases: readonly Checked[]) => [
    name,
    ...counts(cases),
    ...counts(cases.filter(({ hasValue }) => hasValue)),
  ];
  const levels = [...new Set(checked.map(({ level }) => level))];
  table.push(
    ...levels.map((level) =>
      line(
        level,
        checked.filter((each) => each.level === level),
      ),
    ),
    line('all', checked),
  );
  say(table.toString());
}

/** The files that one hands in to the kit. */
function write(checked: readonly Checked[]): void {
  const folder = '.test/tck';
  mkdirSync(folder, { recursive: true });
  const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;
  const rows = checked.map(({ level, folder: test, file, id, passed }) =>
    [`${level}/${test}`, file.replace(/\.xml$/, ''), id, passed ? 'SUCCESS' : 'ERROR', ''].map(quoted).join(','),
  );
  writeFileSync(path.join(folder, 'tck_results.csv'), `${rows.join('\n')}\n`);
  const today = new Date().toISOString().slice(0, 10);
  const properties = [
    'vendor.name=Verdict',
    'vendor.url=',
    'product.name=Verdict',
    'product.url=',
    'product.version=1.0.0',
    'product.comment=',
    `last.update=${today}`,
  ];
  writeFileSync(path.join(folder, 'tck_results.properties'), `${properties.join('\n')}\n`);
  say(`Written to ${folder}.`);
}
