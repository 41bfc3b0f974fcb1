import fc from 'fast-check';
import type { Box } from '../../workers/analysis/boxes.js';
import { noDeadline } from '../../workers/analysis/deadline.js';
import { findingsOf, type Given, type TableFindings } from '../../workers/analysis/findings.js';
import type { FindingKind } from '../../workers/analysis/finding.js';
import { tableChange } from '../../workers/analysis/tableChange.js';
import { Reader } from '../../workers/engine/jdm/reader.js';
import { readTable } from '../../workers/engine/nodes/table.js';
import type { Table } from '../../workers/engine/nodes/table/content.js';
import { ZenDate } from '../../workers/engine/zen/values/date.js';
import { seed, wholeNumber } from '../support/environment.js';
import { boxFormula } from './boxes.js';
import { all, any, condition, declarations, isFact, not, type Condition } from './cells.js';
import { dmnCase, dmnQuestions, type Question } from './dmn.js';
import { Solver } from './solver.js';

// What `make judge` executes: what is proved of random tables is asked of a solver that knows the language, and not the
// method. TABLES and SEED come from the environment.

const fields = ['x', 'y', 'z'];
const some = fc.option(condition, { freq: 2, nil: null });
const row = fc.record({ cells: fc.tuple(some, some, some), result: fc.constantFrom('1', '2', "'a'") });
const rowsOf = fc.array(row, { minLength: 1, maxLength: 6 });
type Rows = readonly { readonly cells: readonly (Condition | null)[]; readonly result: string }[];

/** The same rows with one result or one cell of another. */
const pair = fc.tuple(rowsOf, fc.nat(), row, fc.nat(fields.length)).map(([rows, at, other, column]) => {
  const changed = rows.map((each, index) => {
    if (index !== at % rows.length) return each;
    if (column === fields.length) return { ...each, result: other.result };
    return {
      ...each,
      cells: each.cells.map((cell, place) => (place === column ? (other.cells[place] ?? null) : cell)),
    };
  });
  return [rows, changed] as const;
});

const tableOf = (rows: Rows, hitPolicy: string): Table => {
  const content = {
    hitPolicy,
    inputs: fields.map((field) => ({ id: field, field })),
    outputs: [{ id: 'o', field: 'o' }],
    rules: rows.map(({ cells, result }) => ({
      ...Object.fromEntries(fields.map((field, at) => [field, cells[at]?.zen ?? ''])),
      o: result,
    })),
  };
  return readTable(new Reader(content, 'content', () => undefined));
};

const on = (formula: string, field: string): string => formula.replace(/\bv\b/g, field);
const rowFormula = ({ cells }: Rows[number]): string =>
  `(and true ${cells.flatMap((cell, at) => (cell === null ? [] : [on(cell.isTrue, fields[at] ?? '')])).join(' ')})`;

/** The result of the first row that holds, by its number; -1 for none. */
const resultFormula = (rows: Rows, results: readonly string[]): string =>
  rows.reduceRight((rest, each) => `(ite ${rowFormula(each)} ${results.indexOf(each.result)} ${rest})`, '(- 1)');

/** Inputs of the kinds that the cells of each field name. */
function expected(rows: Rows): string {
  const ofField = fields.map((field, at) => {
    let kinds = new Set(rows.flatMap(({ cells }) => [...(cells[at]?.kinds ?? [])]));
    // Of a field that is asked alone whether it is null, no kind of value is known.
    if (kinds.size === 1 && kinds.has('null')) kinds = new Set(['null', 'num', 'text', 'bool']);
    const computed = rows.flatMap(({ cells }) => cells[at]?.computed ?? []).map((formula) => on(formula, field));
    // Of a field that no cell tests, all is expected.
    if (kinds.size === 0) return 'true';
    const ofKind = (kind: string): string => (kind === 'null' ? `(= ${field} null)` : `((_ is ${kind}) ${field})`);
    return any(...[...kinds].map((kind) => (kind === 'num' ? all(ofKind(kind), ...computed) : ofKind(kind))));
  });
  return `(and ${ofField.join(' ')})`;
}

/** Dates, which some ranges of numbers admit, are no values of the judge's facts. */
const withoutDates: Given = {
  at: (path) => ({
    values: null,
    tests: [{ predicate: { path, constants: [], holds: (value) => value instanceof ZenDate }, isTrue: false }],
  }),
  isObject: true,
};

function questionsOf([rows, changed]: readonly [Rows, Rows]): Question[] {
  const first = findingsOf(tableOf(rows, 'first'), noDeadline, withoutDates);
  const every = findingsOf(tableOf(rows, 'collect'), noDeadline, withoutDates);
  const formulas = rows.map(rowFormula);
  const taken = any(...formulas);
  const has = ({ findings }: TableFindings, kind: FindingKind, ...wanted: number[]): boolean =>
    findings.some((each) => each.kind === kind && each.isProved && each.rows.join() === wanted.join());
  const { dimensions } = first.boxes;
  const within = (regions: readonly (Box | null)[], of = dimensions): string =>
    any(...regions.flatMap((region) => (region === null ? [] : [boxFormula(of, region)])));
  const differ = (one: string, other: string): string => `(distinct ${one} ${other})`;
  const questions: Question[] = [];
  formulas.forEach((formula, at) => {
    questions.push({ what: `conflict ${at}`, formula, isPossible: !every.unreachable.has(at) });
    const before = any(...formulas.slice(0, at));
    const isReached = !first.unreachable.has(at);
    questions.push({ what: `reached ${at}`, formula: `(and ${formula} ${not(before)})`, isPossible: isReached });
    const region = first.regions[at] ?? null;
    if (region !== null) {
      const isTaken = `(and ${formula} ${not(before)})`;
      questions.push({
        what: `region of ${at}`,
        formula: `(and ${within([region])} ${not(isTaken)})`,
        isPossible: false,
      });
    }
    formulas.slice(at + 1).forEach((other, next) => {
      const isOverlap = has(every, 'overlap', at, at + 1 + next);
      questions.push({
        what: `overlap ${at} ${at + 1 + next}`,
        formula: `(and ${formula} ${other})`,
        isPossible: isOverlap,
      });
    });
    if (has(first, 'redundant', at)) {
      const results = rows.map(({ result }) => result);
      const rest = rows.filter((_, index) => index !== at);
      const formula = differ(resultFormula(rows, results), resultFormula(rest, results));
      questions.push({ what: `redundant ${at}`, formula, isPossible: false });
    }
  });
  const gaps = first.findings.filter(({ kind }) => kind === 'gap');
  // Gaps beyond the first ones are not told.
  if (gaps.length < 20 && gaps.every(({ isProved }) => isProved)) {
    const formula = `(distinct ${within(gaps.map(({ region }) => region))} (and ${expected(rows)} ${not(taken)}))`;
    questions.push({ what: 'gaps', formula, isPossible: false });
  }
  const change = tableChange(tableOf(rows, 'first'), tableOf(changed, 'first'), {
    budget: { comparisons: 10_000_000, until: noDeadline },
  });
  if (change.reason === null) {
    const results = [...rows, ...changed].map(({ result }) => result);
    const where = differ(resultFormula(rows, results), resultFormula(changed, results));
    const regions = within(
      change.regions.map(({ box }) => box),
      change.boxes.dimensions,
    );
    questions.push({ what: 'regions of the change', formula: `(distinct ${regions} ${where})`, isPossible: false });
  }
  return questions;
}

const facts = [declarations, ...fields.map((field) => `(declare-const ${field} Value) (assert ${isFact(field)})`)].join(
  '\n',
);
const tables = wholeNumber('TABLES') ?? 2000;
const solver = await Solver.open(facts);
let [asked, count, wrong, open] = [0, 0, 0, 0];

/** @param shown the tables, where the solver says otherwise */
async function askAll(questions: readonly Question[], shown: () => unknown): Promise<void> {
  for (const { what, formula, isPossible } of questions) {
    count++;
    const answer = await solver.ask(formula);
    if (answer === (isPossible ? 'sat' : 'unsat')) continue;
    if (answer === 'unknown') {
      open++;
      continue;
    }
    wrong++;
    process.stdout.write(`${what}: the solver says ${answer} of ${JSON.stringify(shown())}\n`);
  }
  asked++;
}
const tally = (): string => `${count} questions, ${wrong} answered otherwise, gave up ${open} of ${count}`;
const progress = setInterval(() => process.stderr.write(`${asked} of ${2 * tables} tables: ${tally()}\n`), 10_000);
for (const rows of fc.sample(pair, { numRuns: tables, seed })) {
  await askAll(questionsOf(rows), () =>
    rows.map((each) => each.map(({ cells, result }) => [...cells.map((cell) => cell?.zen ?? ''), result])),
  );
}
for (const subject of fc.sample(dmnCase, { numRuns: tables, seed })) await askAll(dmnQuestions(subject), () => subject);
clearInterval(progress);
await solver.close();
process.stdout.write(`${tables} tables of JDM and as many of DMN: ${tally()}. SEED=${seed} repeats them.\n`);
process.exitCode = wrong === 0 && open * 100 <= count ? 0 : 1;
