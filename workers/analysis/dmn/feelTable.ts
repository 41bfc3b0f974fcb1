import { tried } from '../../engine/errors.js';
import type { CompiledTable } from '../../engine/dmn/boxed/decisionTable.js';
import { childOf, childrenOf, textWithin } from '../../engine/dmn/element.js';
import { jsonFrom } from '../../engine/dmn/values.js';
import { bare, Frame, plainValue, Run, type Feel, type Scope } from '../../engine/feel/index.js';
import { stringify } from '../../engine/zen/values/json.js';
import { isNumeric } from '../../engine/zen/values/numbers.js';
import type { Dimension } from '../dimension.js';
import { newRun } from '../evaluate.js';
import type { Ruling } from '../findings.js';
import { difference, type Ranges } from '../ranges.js';
import { fieldIn, wrapped, type Space, type TableSource } from '../tableBoxes.js';
import { columnsOf, fieldTerms, holds, isOfKind, predicateOf, type FeelColumn } from './columns.js';
import { ConstantReader } from './constants.js';
import { relationTest } from './relation.js';
import { plainTerms, type FeelTerms } from './terms.js';

/** A decision table of DMN as the analysis reads it. */
export interface FeelTable extends TableSource {
  readonly hitPolicy: string;
  readonly ruleIds: readonly string[];
  readonly ruling: Ruling;
  /** The atoms of a dimension that its field may have, and that the table takes. */
  readonly possibleOf: (dimension: Dimension) => Ranges;
  /** What the outputs of each rule are, as a text: values of constants, else their sources. */
  readonly outputs: readonly RuleResult[];
  /** Whether the outputs of all rules, and those of none, are constants. */
  readonly hasConstants: boolean;
  /** Fields whose type each column declares, or the field itself. */
  readonly typed: ReadonlySet<string>;
  /** How the values of its fields stand; undefined where they cannot be put in order. */
  readonly fields: ReadonlyMap<string, FeelTerms | undefined>;
}

interface RuleResult {
  readonly text: string;
  readonly isConstant: boolean;
}

const lists = new Set(['COLLECT', 'RULE ORDER', 'OUTPUT ORDER']);

/** @param table while its document is compiled */
export function feelTable(table: CompiledTable): FeelTable {
  const { element, results, context } = table;
  const columns = columnsOf(table);
  const fields = new Map<string, FeelTerms | undefined>();
  for (const { name } of columns) {
    if (!fields.has(name)) fields.set(name, fieldTerms(columns.filter((column) => column.name === name)));
  }
  const { hitPolicy = 'UNIQUE' } = element.attributes;
  const outputs = resultsOf(table);
  return {
    ...{ hitPolicy, outputs, fields },
    hasConstants: outputs.every(({ isConstant }) => isConstant) && hasConstantDefaults(table),
    typed: new Set([...fields.keys()].filter((name) => columns.every((each) => each.name !== name || isTyped(each)))),
    ruleIds: results.map(({ id }) => id),
    ruling: rulingOf(table, hitPolicy, outputs),
    columns: (space) => columns.map((column) => columnIn(space, column, fields.get(column.name), context.scope)),
    rows: results.map((_, row) => columns.map(({ cells }) => cells[row]?.source ?? '')),
    reasonOf: () => unreadable(columns, fields),
    possibleOf: (dimension) => possibleIn(dimension, columns, fields),
  };
}

function columnIn(
  space: Space,
  column: FeelColumn,
  terms: FeelTerms | undefined,
  scope: Scope,
): ReturnType<TableSource['columns']>[number] {
  const { name, type, cells, allowed, relation, isDeclared } = column;
  // Facts have texts for dates and durations, which are read by the declared type alone.
  const path = terms === plainTerms || isDeclared ? column.path : null;
  const field = fieldIn(space, name, path);
  const { kind } = bare(type);
  if (relation !== undefined) {
    field.type = { terms: plainTerms.terms, isOfType: isNumeric };
    return {
      testsOf: (_, row) => {
        const cell = cells[row];
        return cell && wrapped(name, relationTest(cell.test, relation, scope));
      },
    };
  }
  if (terms !== undefined) {
    const isOfType = kind === 'any' ? undefined : (value: unknown): boolean => isOfKind(value as never, kind);
    field.type = { terms: terms.terms, isOfType };
    for (const test of allowed) {
      for (const constant of predicateOf(test, type, terms)?.constants ?? []) field.constants.add(constant);
    }
  }
  return {
    testsOf: (_, row) => {
      const test = cells[row];
      return test === undefined || terms === undefined ? undefined : wrapped(name, predicateOf(test, type, terms));
    },
  };
}

/** Why no row is exact: what an input may be is not known. */
function unreadable(
  columns: readonly FeelColumn[],
  fields: ReadonlyMap<string, FeelTerms | undefined>,
): string | undefined {
  for (const { name, type, allowed, relation } of columns) {
    const terms = fields.get(name);
    const isUnread =
      terms !== undefined &&
      relation === undefined &&
      allowed.some((test) => predicateOf(test, type, terms) === undefined);
    if (isUnread) return `the allowed values of “${name}” are more than a comparison with constants`;
  }
  return undefined;
}

function possibleIn(
  dimension: Dimension,
  columns: readonly FeelColumn[],
  fields: ReadonlyMap<string, FeelTerms | undefined>,
): Ranges {
  const { name } = dimension;
  const terms = fields.get(name);
  const own = columns.filter((column) => column.name === name);
  if (terms === undefined || own.length === 0) return dimension.all;
  if (own.some(({ relation }) => relation !== undefined))
    return dimension.where(({ value }) => value === null || typeof value === 'object' || isNumeric(value));
  const kinds = own.map(({ type }) => bare(type).kind).filter((kind) => kind !== 'any');
  const tests = own.flatMap(({ allowed }) => allowed);
  const refused = dimension.where(({ value }) => {
    const isOfType = value === null || kinds.every((kind) => isOfKind(value, kind));
    return !isOfType || tests.some(({ test }) => !holds(test, terms.feelOf(value)));
  });
  return difference(dimension.all, refused);
}

const isTyped = ({ type }: FeelColumn): boolean => bare(type).kind !== 'any';

function hasConstantDefaults({ element, context }: CompiledTable): boolean {
  const reader = new ConstantReader(context, new Run(newRun()));
  return childrenOf(element, 'output').every((output) => {
    const source = (textWithin(output, 'defaultOutputEntry') ?? '').trim();
    return source === '' || tried(() => reader.isConstant(source)) === true;
  });
}

function resultsOf({ element, context, results }: CompiledTable): RuleResult[] {
  const run = new Run(newRun());
  const reader = new ConstantReader(context, run);
  const count = childrenOf(element, 'output').length;
  return childrenOf(element, 'rule').map((rule, row) => {
    const entries = childrenOf(rule, 'outputEntry').slice(0, count);
    const sources = entries.map((entry) => (textWithin(entry) ?? '').trim());
    const isConstant = sources.every(
      (source) => source === '' || plainValue(source) !== undefined || tried(() => reader.isConstant(source)) === true,
    );
    const values = isConstant ? valuesOf(results[row]?.cells ?? [], run) : undefined;
    return values === undefined
      ? { text: `=${JSON.stringify(sources)}`, isConstant: false }
      : { text: values.map((value) => stringify(jsonFrom(value, run))).join(), isConstant: true };
  });
}

const valuesOf = (cells: readonly ((frame: Frame) => Feel)[], run: Run): Feel[] | undefined =>
  tried(() => cells.map((cell) => cell(new Frame(run, null, []))));

function rulingOf(table: CompiledTable, hitPolicy: string, outputs: readonly RuleResult[]): Ruling {
  const isSingle = !lists.has(hitPolicy);
  const hasDefault = childrenOf(table.element, 'output').some((output) => childOf(output, 'defaultOutputEntry'));
  const order =
    hitPolicy === 'FIRST' ? [...outputs.keys()] : hitPolicy === 'PRIORITY' ? priorityOf(table, outputs) : null;
  return {
    order,
    hasGaps: isSingle && !hasDefault,
    overlaps: hitPolicy === 'UNIQUE' ? () => true : hitPolicy === 'ANY' ? differing(outputs) : () => false,
    results: hitPolicy === 'FIRST' ? outputs.map(({ text }) => text) : null,
    isTyped: true,
  };
}

/** The rules in the order of their outputs; null where these are computed. */
function priorityOf({ policy, results }: CompiledTable, outputs: readonly RuleResult[]): readonly number[] | null {
  const { ordered } = policy;
  if (ordered === undefined || !outputs.every(({ isConstant }) => isConstant)) return null;
  const run = new Run(newRun());
  const rows = results.map(({ cells }, index) => ({ index, values: valuesOf(cells, run) ?? [] }));
  return ordered(rows, new Frame(run, null, [])).map(({ index }) => index);
}

const differing =
  (outputs: readonly RuleResult[]): Ruling['overlaps'] =>
  (one, other) => {
    const [a, b] = [outputs[one], outputs[other]];
    if (a === undefined || b === undefined || a.text === b.text) return false;
    return a.isConstant && b.isConstant ? true : { unknown: 'their outputs are computed' };
  };
