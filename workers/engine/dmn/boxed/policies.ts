import {
  builtins,
  compileExpression,
  equal,
  type Code,
  type Feel,
  type FeelType,
  type Frame,
} from '../../feel/index.js';
import { textWithin, type Element } from '../element.js';
import type { BoxedContext } from './context.js';

export interface Output {
  readonly name: string;
  readonly type: FeelType | undefined;
  /** The type with the values that the output lists: a check tells of a cell that is none of them. */
  readonly given: FeelType;
  /** Whose allowed values are the order of the outputs, where the output has none of its own. */
  readonly ordered: FeelType | undefined;
  readonly element: Element;
  /** The default output entry. */
  readonly fallback: Code | undefined;
}

export interface Policy {
  /** As traces name it: `UNIQUE`, `COLLECT SUM`. */
  readonly name: string;
  /** The first rule that matches is enough. */
  readonly isFirst: boolean;
  /** Sorts rules by the order of their outputs; undefined where that does not matter. */
  readonly ordered: ((rows: readonly Row[], frame: Frame) => Row[]) | undefined;
  /** The value of the table, and the indexes of the rules that made it. */
  readonly result: (
    matched: readonly number[],
    rowOf: (index: number) => Feel[],
    frame: Frame,
  ) => { readonly value: Feel; readonly hits: readonly number[] };
}

/** The functions that collected outputs are given to. */
const aggregations: ReadonlyMap<string, string> = new Map(
  Object.entries({ SUM: 'sum', MIN: 'min', MAX: 'max', COUNT: 'count' }),
);

const policies = ['UNIQUE', 'ANY', 'PRIORITY', 'FIRST', 'RULE ORDER', 'OUTPUT ORDER', 'COLLECT'];

const oneOf = (names: readonly string[]): string => `It is one of ${names.join(', ')}.`;

/** A rule that matched. */
interface Row {
  readonly index: number;
  readonly values: readonly Feel[];
}

export function policyOf(table: Element, outputs: readonly Output[], context: BoxedContext): Policy {
  const { hitPolicy: policy = 'UNIQUE', aggregation } = table.attributes;
  const aggregated = aggregation === undefined ? undefined : builtins.get(aggregations.get(aggregation) ?? '');
  const unknown = !policies.includes(policy)
    ? context.fault(table, `There is no hit policy "${policy}".`, 'syntax_error', oneOf(policies))
    : aggregation !== undefined && aggregated === undefined
      ? context.fault(
          table,
          `There is no aggregation "${aggregation}".`,
          'syntax_error',
          oneOf([...aggregations.keys()]),
        )
      : undefined;
  const valueOf = (values: readonly Feel[]): Feel => {
    const [only = null] = values;
    return outputs.length === 1
      ? only
      : new Map(outputs.map(({ name }, index) => [name, values[index] ?? null] as const));
  };
  const site = context.site(table);
  const ordered = policy === 'PRIORITY' || policy === 'OUTPUT ORDER' ? orderOf(table, outputs, context) : undefined;
  const fallback = fallbackOf(outputs, valueOf);
  const isMany = policy === 'COLLECT' || policy === 'RULE ORDER' || policy === 'OUTPUT ORDER';
  return {
    name: aggregation === undefined ? policy : `${policy} ${aggregation}`,
    isFirst: policy === 'FIRST',
    ordered,
    result(matched, rowOf, frame) {
      const refused = (message: string) => ({ value: frame.run.warn(site, message), hits: matched });
      if (unknown !== undefined) return { value: unknown(frame), hits: [] };
      if (matched.length === 0) return { value: fallback(frame, isMany && aggregation === undefined), hits: [] };
      if (policy === 'UNIQUE' && matched.length > 1) {
        const rules = matched.map((index) => index + 1).join(', ');
        return refused(`Rules ${rules} match, and only one may (hit policy UNIQUE).`);
      }
      const rows: Row[] = matched.map((index) => ({ index, values: rowOf(index) }));
      const sorted = ordered === undefined ? rows : ordered(rows, frame);
      const hits = sorted.map(({ index }) => index);
      const values = sorted.map(({ values: row }) => valueOf(row));
      const [first = null] = values;
      if (policy === 'COLLECT' && aggregated !== undefined)
        return { value: aggregated.call([values], frame.run, site), hits };
      if (isMany) return { value: values, hits };
      if (policy === 'ANY' && !values.every((value) => equal(value, first, frame.run) === true))
        return refused('Rules with different outputs match (hit policy ANY).');
      return { value: first, hits: policy === 'ANY' ? hits : hits.slice(0, 1) };
    },
  };
}

/** What a table gives where no rule matches: its default outputs, if it has any, else null, or an empty list. */
function fallbackOf(outputs: readonly Output[], valueOf: (values: readonly Feel[]) => Feel) {
  const isGiven = outputs.some(({ fallback }) => fallback !== undefined);
  return (frame: Frame, isList: boolean): Feel => {
    if (!isGiven) return isList ? [] : null;
    const value = valueOf(outputs.map(({ fallback }) => fallback?.(frame) ?? null));
    return isList ? [value] : value;
  };
}

/** Sorts rows by the order of the output values, those of the first output first. */
function orderOf(table: Element, outputs: readonly Output[], context: BoxedContext) {
  const lists = outputs.map(({ element, ordered }) => {
    const text = textWithin(element, 'outputValues') ?? allowedText(ordered);
    return text === undefined
      ? undefined
      : compileExpression(context.place(element, `[${text}]`), context.scope, context.unit);
  });
  if (lists.every((list) => list === undefined)) {
    const { hitPolicy = '' } = table.attributes;
    const hint = 'List the values of an output in your modeler, those that come first before the others.';
    context.fault(table, `No output lists values, whose order ${hitPolicy} means.`, 'syntax_error', hint);
  }
  return (rows: readonly Row[], frame: Frame): Row[] => {
    const values = lists.map((list) => list?.(frame) ?? null);
    const ranked = rows.map((row) => ({
      row,
      ranks: row.values.map((value, index) => rankOf(value, values[index] ?? null, frame)),
    }));
    ranked.sort((a, b) => {
      const at = a.ranks.findIndex((rank, index) => rank !== b.ranks[index]);
      return (a.ranks[at] ?? 0) - (b.ranks[at] ?? 0);
    });
    return ranked.map(({ row }) => row);
  };
}

function rankOf(value: Feel, values: Feel, { run }: Frame): number {
  if (!Array.isArray(values)) return 0;
  const index = values.findIndex((each: Feel) => equal(each, value, run) === true);
  return index === -1 ? values.length : index;
}

function allowedText(type: FeelType | undefined): string | undefined {
  let current = type;
  for (let level = 0; current !== undefined && level < 50; level++) {
    if (current.kind === 'constrained') return current.text;
    if (current.kind === 'list') current = current.item;
    else if (current.kind === 'named') current = current.target();
    else return undefined;
  }
  return undefined;
}
