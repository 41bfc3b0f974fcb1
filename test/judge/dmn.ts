import fc from 'fast-check';
import type { Box } from '../../workers/analysis/boxes.js';
import { noDeadline } from '../../workers/analysis/deadline.js';
import { readTable, type ReadTable } from '../../workers/analysis/dmn/readTable.js';
import { findingsFor, type TableFindings } from '../../workers/analysis/findings.js';
import type { FindingKind } from '../../workers/analysis/finding.js';
import { compileDmn } from '../../workers/engine/index.js';
import { tableDocument, type TableInput } from '../support/dmnTables.js';
import { boxFormula } from './boxes.js';
import { all, any, not, real, textNumber } from './cells.js';

// Random tables of DMN, and what must be so if what is proved of them is true. Formulas follow the standard: null equals null
// alone and has no order; a test that is neither true nor false does not hold.

/** A condition on one value in FEEL, and as a formula over `v`: where it is true. */
interface Test {
  readonly feel: string;
  readonly isTrue: string;
}

const isNumber = '((_ is num) v)';
const isText = '((_ is text) v)';
const compared = (operator: string, digits: string): string =>
  all(isNumber, `(${operator} (number v) ${real(digits)})`);
const is = (digits: string): string => `(= v (num ${real(digits)}))`;
const named = (text: string): string => `(= v (text ${textNumber(text)}))`;

const digits = fc.constantFrom('-1', '0', '1', '2', '2.5', '3', '1234567890.125');
const text = fc.constantFrom('a', 'b', 'c');
const numberTest: fc.Arbitrary<Test> = fc.oneof(
  fc
    .tuple(fc.constantFrom('<', '<=', '>', '>='), digits)
    .map(([operator, value]) => ({ feel: `${operator} ${value}`, isTrue: compared(operator, value) })),
  fc.array(digits, { minLength: 1, maxLength: 3 }).map((values) => ({
    feel: values.join(', '),
    isTrue: any(...values.map(is)),
  })),
  fc.array(digits, { minLength: 1, maxLength: 2 }).map((values) => ({
    feel: `not(${values.join(', ')})`,
    isTrue: not(any(...values.map(is))),
  })),
  fc.tuple(fc.constantFrom('[', '('), digits, digits, fc.constantFrom(']', ')')).map(([open, low, high, close]) => ({
    feel: `${open}${low}..${high}${close}`,
    isTrue: all(compared(open === '[' ? '>=' : '>', low), compared(close === ']' ? '<=' : '<', high)),
  })),
  fc.tuple(digits, digits).map(([low, high]) => ({
    feel: `? > ${low} or ? = ${high}`,
    isTrue: any(compared('>', low), is(high)),
  })),
  fc.constant({ feel: 'null', isTrue: '(= v null)' }),
);
const textTest: fc.Arbitrary<Test> = fc.oneof(
  fc.array(text, { minLength: 1, maxLength: 3 }).map((values) => ({
    feel: values.map((value) => JSON.stringify(value)).join(', '),
    isTrue: any(...values.map(named)),
  })),
  text.map((value) => ({ feel: `not("${value}")`, isTrue: not(named(value)) })),
);

const inputs: readonly TableInput[] = [
  { name: 'x', type: 'number' },
  { name: 'y', type: 'number' },
  { name: 'z', type: 'string' },
];
const some = (test: fc.Arbitrary<Test>): fc.Arbitrary<Test | null> => fc.option(test, { freq: 2, nil: null });
const row = fc.record({
  cells: fc.tuple(some(numberTest), some(numberTest), some(textTest)),
  result: fc.constantFrom('1', '2', '3'),
});

/** A table of DMN. */
export interface DmnCase {
  readonly hitPolicy: string;
  readonly rows: readonly { readonly cells: readonly (Test | null)[]; readonly result: string }[];
}

export const dmnCase: fc.Arbitrary<DmnCase> = fc.record({
  hitPolicy: fc.constantFrom('UNIQUE', 'ANY', 'FIRST', 'PRIORITY', 'COLLECT'),
  rows: fc.array(row, { minLength: 1, maxLength: 6 }),
});

/** A value of another type than the declared one counts as null. */
const typed = all(
  ...inputs.map(({ name, type }) => {
    const isOne = (type === 'number' ? isNumber : isText).replaceAll(' v', ` ${name}`);
    return any(`(= ${name} null)`, isOne);
  }),
);
const expected = inputs.map(({ name }) => `(distinct ${name} null)`);

/** What the solver is asked, and whether there must be a fact for which it holds. */
export interface Question {
  readonly what: string;
  readonly formula: string;
  readonly isPossible: boolean;
}

/** The order of the outputs of PRIORITY. */
const order = ['3', '1', '2'];

function found({ hitPolicy, rows }: DmnCase): TableFindings {
  const tables: ReadTable[] = [];
  const cells = rows.map((each) => [...each.cells.map((cell) => cell?.feel ?? '-'), each.result]);
  const xml = tableDocument({ hitPolicy, inputs, rows: cells, outputValues: order.join() });
  compileDmn(xml, { onTable: (table, node) => tables.push(readTable(table, node)) });
  const [only] = tables;
  if (only === undefined) throw new Error('there is no table');
  const { ruling, possibleOf } = only.table;
  return findingsFor(only.table, noDeadline, { ruling, beside: {}, possibleOf });
}

/** Indexes of the rows that hide a row. */
function hiding({ hitPolicy, rows }: DmnCase, at: number): number[] {
  const rank = (index: number): number => order.indexOf(rows[index]?.result ?? '') * rows.length + index;
  if (hitPolicy === 'FIRST') return [...rows.keys()].filter((index) => index < at);
  return hitPolicy === 'PRIORITY' ? [...rows.keys()].filter((index) => rank(index) < rank(at)) : [];
}

export function dmnQuestions(subject: DmnCase): Question[] {
  const { hitPolicy, rows } = subject;
  const findings = found(subject);
  const on = (formula: string, field: string): string => formula.replace(/\bv\b/g, field);
  const formulas = rows.map(({ cells }) =>
    all(...cells.flatMap((cell, at) => (cell === null ? [] : [on(cell.isTrue, inputs[at]?.name ?? '')]))),
  );
  const has = (kind: FindingKind, ...wanted: number[]): boolean =>
    findings.findings.some((each) => each.kind === kind && each.isProved && each.rows.join() === wanted.join());
  const within = (regions: readonly (Box | null)[]): string =>
    any(...regions.flatMap((region) => (region === null ? [] : [boxFormula(findings.boxes.dimensions, region)])));
  const questions: Question[] = [];
  formulas.forEach((formula, at) => {
    const before = any(...hiding(subject, at).map((index) => formulas[index] ?? 'false'));
    questions.push({
      what: `reached ${at}`,
      formula: all(typed, formula, not(before)),
      isPossible: !has('conflict', at) && !has('shadowed', at),
    });
    formulas.slice(at + 1).forEach((other, next) => {
      const second = at + 1 + next;
      const differs = rows[at]?.result !== rows[second]?.result;
      if (hitPolicy !== 'UNIQUE' && !(hitPolicy === 'ANY' && differs)) return;
      const isPossible = has('overlap', at, second);
      questions.push({ what: `overlap ${at} ${second}`, formula: all(typed, formula, other), isPossible });
    });
  });
  const gaps = findings.findings.filter(({ kind }) => kind === 'gap');
  if (hitPolicy !== 'COLLECT' && gaps.length < 20 && gaps.every(({ isProved }) => isProved)) {
    const open = all(...expected, not(any(...formulas)));
    const formula = all(typed, `(distinct ${within(gaps.map(({ region }) => region))} ${open})`);
    questions.push({ what: 'gaps', formula, isPossible: false });
  }
  return questions;
}
