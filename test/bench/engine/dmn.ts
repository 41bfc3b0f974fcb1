import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import {
  childrenOf,
  compileDmn,
  textWithin,
  type DmnProgram,
  type Element,
  type Value,
} from '../../../workers/engine/index.js';
import { isObject } from '../../../workers/engine/zen/values/kinds.js';
import { readTestCases } from '../../../workers/models/tck.js';
import { kitFact } from '../../conformance/tck/temporal.js';
import { tableDocument } from '../../support/dmnTables.js';
import { atLeast, atMost, type Report } from '../report.js';
import { Feelin, type FeelinTable } from './feelin.js';
import { collector } from './memory.js';
import { median } from '../numbers.js';
import { processorUs } from './processor.js';

/** A decision of the kit that is a table, with the facts of its tests. */
interface KitTable extends Pick<FeelinTable, 'inputs' | 'rules' | 'isFirst' | 'contexts'> {
  readonly name: string;
  readonly program: DmnProgram;
  readonly facts: readonly Value[];
  readonly select: readonly string[];
}

const wanted = { times: 20, lending: 5000, compileMs: 5 };
/** Documents that are compiled and kept. */
const kept = 1000;

/**
 * Decision tables of DMN's kit beside feelin, in one run: ours evaluates the whole decision with all that it requires, feelin
 * the table alone. Then the lending model, a compilation, and what documents take while they are kept.
 */
export async function measureDmn(kit: string, milliseconds: number): Promise<Report> {
  const feelin = new Feelin();
  const rows: (string | number)[][] = [];
  const ratios: number[] = [];
  for (const { name, program, facts, select, ...table } of tablesIn(kit)) {
    const ours = processorUs(runOf(program, facts, select), milliseconds);
    const theirs = await feelin.measure({ ...table, milliseconds });
    if (theirs !== undefined) ratios.push(theirs / ours);
    rows.push([
      name,
      table.rules.length,
      ours.toFixed(2),
      theirs?.toFixed(1) ?? '—',
      theirs === undefined ? '' : (theirs / ours).toFixed(1),
    ]);
  }
  feelin.close();
  const lending = documentIn(kit, '0004-lending');
  const { program } = compileDmn(lending.xml);
  const perSecond = 1_000_000 / processorUs(runOf(program, lending.facts), milliseconds * 10);
  const compileMs = compileTime(milliseconds * 10);
  const memory = keptBytes(lending.xml);
  return {
    parts: [
      'Microseconds of processor time of a warm evaluation, of ours with all that the decision requires; × is how many times as fast ours is.',
      { headings: ['table', 'rules', 'ours', 'feelin', '×'], rows },
      `${kept} documents of 0004-lending (${lending.xml.length} characters each), compiled: ${(memory / 1024).toFixed(0)} KB of heap each.`,
    ],
    wanted: [
      atLeast(`times as fast as feelin, the median of ${ratios.length} tables`, median(ratios), wanted.times),
      atLeast('evaluations of 0004-lending a second', perSecond, wanted.lending),
      atMost('ms to compile a table of 20 × 4', compileMs, wanted.compileMs),
    ],
    found: { rows, perSecond, compileMs, keptBytes: memory },
  };
}

const foldersOf = (kit: string): string[] =>
  readdirSync(kit)
    .filter((level) => level.startsWith('compliance-level-'))
    .sort()
    .flatMap((level) => readdirSync(path.join(kit, level)).map((folder) => path.join(kit, level, folder)));

interface KitDocument {
  readonly xml: string;
  readonly facts: readonly Value[];
}

function readDocument(folder: string): KitDocument | undefined {
  const names = readdirSync(folder);
  const document = names.find((name) => name.endsWith('.dmn'));
  const test = names.find((name) => name.endsWith('.xml'));
  if (document === undefined || test === undefined) return undefined;
  const { tests } = readTestCases(readFileSync(path.join(folder, test), 'utf8'));
  const facts = tests.map(({ inputs }) => Object.fromEntries(inputs.map(([name, value]) => [name, kitFact(value)])));
  return { xml: readFileSync(path.join(folder, document), 'utf8'), facts };
}

function documentIn(kit: string, name: string): KitDocument {
  const folder = foldersOf(kit).find((each) => each.endsWith(name));
  const found = folder === undefined ? undefined : readDocument(folder);
  if (found === undefined) throw new Error(`There is no ${name} in ${kit}.`);
  return found;
}

function* tablesIn(kit: string): Generator<KitTable> {
  for (const folder of foldersOf(kit)) {
    const document = readDocument(folder);
    if (document?.xml.includes('decisionTable') !== true) continue;
    const tables = new Map<string, Omit<KitTable, 'contexts' | 'program' | 'facts'>>();
    const { program } = compileDmn(document.xml, {
      onTable({ element, context }, { part }) {
        if (!context.isWhole || part.kind !== 'decision') return;
        tables.set(part.id, {
          name: `${path.basename(folder)} ${part.name}`,
          select: [part.name],
          ...sourcesOf(element),
        });
      },
    });
    for (const [id, table] of tables) {
      // What the table saw of the fact and of the decisions that it requires.
      const contexts = document.facts.flatMap((fact) => {
        const { trace } = program.run(fact, {
          trace: true,
          select: table.select,
          now: 0,
          deadline: Infinity,
          random: () => 0.5,
        });
        const input = trace?.[id]?.input;
        return isObject(input) ? [input] : [];
      });
      if (contexts.length > 0) yield { ...table, contexts, program, facts: document.facts };
    }
  }
}

function sourcesOf(table: Element): Pick<KitTable, 'inputs' | 'rules' | 'isFirst'> {
  const textOf = (element: Element): string => (textWithin(element) ?? '').trim();
  return {
    inputs: childrenOf(table, 'input').map((input) => (textWithin(input, 'inputExpression') ?? 'null').trim()),
    rules: childrenOf(table, 'rule').map((rule) =>
      [...childrenOf(rule, 'inputEntry'), ...childrenOf(rule, 'outputEntry')].map(textOf),
    ),
    isFirst: table.attributes['hitPolicy'] === 'FIRST',
  };
}

const runOf =
  (program: DmnProgram, facts: readonly Value[], select?: readonly string[]) =>
  (turn: number): unknown =>
    program.run(facts[turn % facts.length] ?? {}, {
      ...{ trace: false, now: 0, deadline: Infinity, random: () => 0.5 },
      ...(select === undefined ? {} : { select }),
    });

/** Milliseconds of compiling a table of 20 rules and 4 inputs. */
function compileTime(milliseconds: number): number {
  const inputs = ['a', 'b', 'c', 'd'].map((name) => ({ name, type: 'number' }));
  const cellsOf = (row: number): string[] => [`[${row}..${row + 5})`, `> ${row}`, `not(${row})`, '-', `a * ${row}`];
  const xml = tableDocument({ hitPolicy: 'FIRST', inputs, rows: Array.from({ length: 20 }, (_, row) => cellsOf(row)) });
  return processorUs(() => compileDmn(xml), milliseconds) / 1000;
}

/** Bytes of heap that one document takes once it is compiled and its text let go of. */
function keptBytes(xml: string): number {
  const collect = collector();
  collect();
  const before = process.memoryUsage().heapUsed;
  const programs = Array.from({ length: kept }, (_, at) => compileDmn(xml.replace('name="', `name="${at} `)).program);
  collect();
  return (process.memoryUsage().heapUsed - before) / programs.length;
}
