import { indexedRows } from '../../nodes/table/candidates.js';
import type { RowCursor } from '../../nodes/table/rowset.js';
import { charge } from '../../zen/budget.js';
import {
  allowing,
  anyType,
  assumeVariable,
  compileUnaryTests,
  indexKey,
  isGiven,
  isOfColumn,
  knownOf,
  normalName,
  plainTest,
  plainValue,
  testScope,
  type Code,
  type Feel,
  type FeelType,
  type Frame,
  type PlainTest,
  type Scope,
  type Site,
  type Test,
  type ValueCell,
} from '../../feel/index.js';
import { constrained, typeRefOf } from '../items.js';
import { childOf, childrenOf, textWithin, type Element } from '../element.js';
import type { BoxedCompiler, BoxedContext } from './context.js';
import { policyOf, type Output, type Policy } from './policies.js';

export interface Column {
  readonly value: Code;
  readonly source: string;
  readonly site: Site;
  /** As its expression declares it. */
  readonly type: FeelType | undefined;
  readonly cells: readonly Cell[];
  /** Whether a value is one of those that the column may have. */
  readonly allowed: Test | undefined;
}

type Cell = Partial<Pick<PlainTest, 'shape'>> & { readonly test: Test };

interface RuleOutput {
  readonly id: string;
  readonly cells: readonly Code[];
}

/** A table as it was compiled. Its element is let go of once the document is compiled. */
export interface CompiledTable {
  readonly element: Element;
  readonly context: BoxedContext;
  readonly inputs: readonly Column[];
  readonly outputs: readonly Output[];
  readonly results: readonly RuleOutput[];
  readonly policy: Policy;
  readonly decide: (frame: Frame) => ReturnType<Policy['result']>;
}

export const decisionTable: BoxedCompiler = (element, context) => {
  const rules = childrenOf(element, 'rule');
  const entries = rules.map((rule) => childrenOf(rule, 'inputEntry'));
  const inputs = childrenOf(element, 'input').map((input, index) => columnOf(input, index, entries, context));
  const outputs = childrenOf(element, 'output').map((output, _, all) => outputOf(output, all.length, element, context));
  const results = rules.map((rule) => ruleOutput(rule, outputs, context, typeOfWhole(element, context)));
  const policy = policyOf(element, outputs, context);
  const shapesOf = (column: number) => inputs[column]?.cells.map(({ shape }) => shape ?? general) ?? [];
  const rowsFor = indexedRows({ columns: inputs.length, rows: rules.length, shapesOf }, context.unit.footprint);
  const { isWhole } = context;
  const decide: CompiledTable['decide'] = (frame) => {
    const values = inputs.map(({ value }) => value(frame));
    const refused = inputs.find(({ allowed }, index) => allowed?.(values[index] ?? null, frame) === false);
    const matched: number[] = [];
    if (refused === undefined)
      collect(
        matched,
        rowsFor((column) => indexKey(values[column] ?? null)),
        inputs,
        values,
        frame,
        policy.isFirst,
      );
    else frame.run.warn(refused.site, `The value of ${shown(refused)} is none of those that the table takes.`);
    return policy.result(matched, (index) => rowOf(results[index], frame), frame);
  };
  context.owner.onTable?.({ element, context, inputs, outputs, results, policy, decide });
  return (frame) => {
    const { value, hits } = decide(frame);
    if (isWhole) {
      frame.run.note?.('hitPolicy', policy.name);
      frame.run.note?.(
        'rules',
        hits.map((index) => ruleShown(index, results[index])),
      );
    }
    return value;
  };
};

/** An input as messages call it. */
const shown = ({ source }: Column): string =>
  JSON.stringify(source.length > 100 ? `${source.slice(0, 99).toWellFormed()}…` : source);

const ruleShown = (index: number, rule: RuleOutput | undefined): Feel =>
  new Map<string, Feel>([
    ['index', index],
    ['id', rule?.id ?? ''],
  ]);

const rowOf = (rule: RuleOutput | undefined, frame: Frame): Feel[] => rule?.cells.map((cell) => cell(frame)) ?? [];

function collect(
  matched: number[],
  rows: RowCursor,
  inputs: readonly Column[],
  values: readonly Feel[],
  frame: Frame,
  isFirst: boolean,
): void {
  for (let row = rows.next(); row !== -1; row = rows.next()) {
    charge(frame.run.state, inputs.length + 1);
    const holds = inputs.every(({ cells }, index) => cells[row]?.test(values[index] ?? null, frame) === true);
    if (!holds) continue;
    matched.push(row);
    if (isFirst) return;
  }
}

function columnOf(input: Element, index: number, entries: readonly Element[][], context: BoxedContext): Column {
  const expression = childOf(input, 'inputExpression') ?? input;
  const type = context.type(typeRefOf(expression), expression);
  assumeVariable(context.place(expression), context.scope, type ?? anyType);
  const code = context.expression(expression);
  const alias = camundaName(input) ?? context.owner.cellName;
  const base = type ?? typeOfName(expression, context);
  const source = textWithin(expression) ?? '';
  const values = (textWithin(input, 'inputValues') ?? '').trim();
  // A cell that is none of the values which the table takes never holds.
  const tested = base && listed(base, values);
  const scope = testScope(context.scope, tested, alias, normalName(source.trim()));
  const allowed = childOf(input, 'inputValues');
  const allows = allowing(scope.resolve('?').slot?.type ?? anyType, context.unit);
  return {
    value: context.typed(code, type, expression, `Input ${index + 1}`),
    source,
    site: context.site(expression),
    type,
    cells: entries.map((cells) => testOf(cells[index], scope, context, allows)),
    allowed:
      allowed === undefined || values === ''
        ? undefined
        : compileUnaryTests(context.place(allowed), testScope(context.scope, base, alias), context.unit),
  };
}

/** A type that has the values which a column lists, where they are known without a fact. */
function listed(base: FeelType, values: string): FeelType {
  const test = values === '' ? undefined : plainTest(values)?.test;
  return test === undefined ? base : constrained(base, values, test);
}

/** The type of an input that is a name. */
const typeOfName = (expression: Element, { scope }: BoxedContext): FeelType | undefined =>
  scope.resolve(normalName((textWithin(expression) ?? '').trim())).slot?.type;

/** What cells of Camunda's call the input's value, beside `?`. */
const camundaName = ({ attributes }: Element): string | undefined =>
  attributes[Object.keys(attributes).find((name) => name.endsWith(':inputVariable')) ?? ''];

/** A cell that no index knows. */
const general = { kind: 'general' } as const;

const everything: Test = () => true;

/** @param allows whether a literal is of the column's type */
function testOf(
  entry: Element | undefined,
  scope: Scope,
  context: BoxedContext,
  allows: (value: Feel) => boolean,
): Cell {
  if (entry === undefined) return { test: everything };
  context.unit.parser.requireTime();
  const foreign = context.foreign(entry);
  if (foreign !== undefined) return { test: (_, frame) => foreign(frame) };
  const source = textWithin(entry) ?? '';
  const plain = plainTest(source);
  const kind = knownOf(scope.resolve('?').slot?.type ?? anyType)?.kind;
  if (plain !== undefined && isOfColumn(plain, source, kind, allows)) return plain;
  const test = compileUnaryTests(context.place(entry), scope, context.unit);
  return plain ?? { test };
}

function outputOf(output: Element, count: number, table: Element, context: BoxedContext): Output {
  const { attributes } = output;
  const name = attributes['name'] ?? attributes['label'] ?? '';
  const type = context.type(typeRefOf(output), output);
  const fallback = childOf(output, 'defaultOutputEntry');
  const given = listed(type ?? anyType, (textWithin(output, 'outputValues') ?? '').trim());
  return {
    name,
    type,
    given,
    ordered: type ?? (count === 1 ? context.owner.typeNamed(typeRefOf(table) ?? '') : undefined),
    element: output,
    fallback: fallback && cellOf(fallback, context, { type: given, what: 'The default output' }),
  };
}

function cellOf(entry: Element | undefined, context: BoxedContext, cell: ValueCell): Code {
  if (entry === undefined) return () => null;
  context.unit.parser.requireTime();
  const source = textWithin(entry) ?? '';
  if (source.trim() === '') return () => null;
  const value = plainValue(source);
  const isPlain = value !== undefined && (cell.type === anyType || isGiven(value, cell.type, context.unit));
  return isPlain ? (context.foreign(entry) ?? (() => value)) : context.expression(entry, cell);
}

const listing: ReadonlySet<string> = new Set(['RULE ORDER', 'OUTPUT ORDER']);

/** The type of what one rule gives, where the table is all of its decision and gives the value of one rule. */
function typeOfWhole({ attributes }: Element, { isWhole, owner }: BoxedContext): FeelType {
  const { hitPolicy = 'UNIQUE', aggregation } = attributes;
  const isOne = !listing.has(hitPolicy) && (hitPolicy !== 'COLLECT' || (aggregation ?? 'COUNT') !== 'COUNT');
  return isWhole && isOne ? owner.type : anyType;
}

/** @param whole the type of the decision's value, of which cells without a type of their own are told */
function ruleOutput(
  rule: Element,
  outputs: readonly Pick<Output, 'type' | 'given'>[],
  context: BoxedContext,
  whole: FeelType,
): RuleOutput {
  const entries = childrenOf(rule, 'outputEntry');
  return {
    id: rule.attributes['id'] ?? rule.pointer,
    cells: outputs.map(({ type, given }, index) => {
      const [entry, what] = [entries[index], `Output ${index + 1}`];
      const wanted = given === anyType && outputs.length === 1 ? whole : given;
      return context.typed(cellOf(entry, context, { type: wanted, what }), type, entry ?? rule, what);
    }),
  };
}
