import { tried } from '../../engine/errors.js';
import type { CompiledDmn, TypeDescription } from '../../engine/dmn/compileDmn.js';
import type { Node } from '../../engine/dmn/graph.js';
import { feelFrom } from '../../engine/dmn/values.js';
import { isOf, Run, dateFrom, dateTimeFrom, durationFrom } from '../../engine/feel/index.js';
import type { Value, ValueObject } from '../../engine/values.js';
import { walk } from '../../engine/zen/ast.js';
import { own, setAt, setKey } from '../../engine/zen/values/objects.js';
import type { Dimension } from '../dimension.js';
import { newRun } from '../evaluate.js';
import type { Field } from '../fields.js';
import type { AnalysedTable } from '../model.js';
import type { CheckedProperty } from '../properties.js';
import type { Ranges } from '../ranges.js';
import { fieldName } from './fields.js';
import type { ReadTable } from './readTable.js';
import { readDefinitions } from '../../engine/dmn/definitions.js';
import { childrenOf, textWithin, type Element } from '../../engine/dmn/element.js';
import { minus, plus } from '../../engine/feel/values/arithmetic.js';
import { FeelDate, FeelDateTime } from '../../engine/feel/values/temporal.js';
import { parseNumber } from '../../engine/zen/values/numbers.js';

/** Values tried for one field. */
const mostValues = 60;
/** Levels of a type that are fields of their own. */
const deepest = 4;

/** A table of the document, read and examined. */
interface Table {
  readonly read: ReadTable;
  readonly examined: AnalysedTable;
}

interface Known {
  readonly tables: readonly Table[];
  readonly properties: readonly CheckedProperty[];
}

/** A single value of a fact. */
interface Leaf {
  readonly path: readonly string[];
  readonly type: TypeDescription;
  /** The input data that it is, or is a member of. */
  readonly root: Node;
}

/** The fields that a document reads of a fact, with values of their types that its tables and texts tell apart. */
export function factFields(compiled: CompiledDmn, xml: string, { tables, properties }: Known): Field[] {
  const dimensions = tables.flatMap(takenBy);
  const columns = new Set(
    tables.flatMap(({ read }) => [...read.table.fields].flatMap(([name, terms]) => (terms === undefined ? [] : name))),
  );
  const written = writtenIn(xml, columns);
  const literals = [...written.literals];
  for (const { tree } of properties) walk(tree, (node) => node.kind === 'literal' && literals.push(node.value));
  const others = [...momentsApart(written), ...literals];
  return leavesIn(compiled).map((leaf) => ({
    path: leaf.path,
    values: valuesOf(leaf, dimensions, others),
    isOfType: (value) => isOfType(value, leaf),
  }));
}

/** The members of an input that are input data, and of its type; the others are of no use in a fact. */
export function factFrom(compiled: CompiledDmn, input: ValueObject): ValueObject {
  const fact: ValueObject = {};
  for (const leaf of leavesIn(compiled)) {
    const value = leaf.path.reduce<Value>(own, input);
    if (isOfType(value, leaf)) setAt(fact, leaf.path, value);
  }
  return fact;
}

/** What a table tells apart of a field, and what of that it takes. */
interface Taken {
  readonly dimension: Dimension;
  readonly possible: Ranges;
}

const takenBy = ({ read, examined }: Table): Taken[] =>
  examined.found.boxes.dimensions.map((dimension) => ({ dimension, possible: read.table.possibleOf(dimension) }));

function valuesOf(leaf: Leaf, dimensions: readonly Taken[], others: readonly Value[]): Value[] {
  const { path, root, type } = leaf;
  const name = fieldName([root.part.variable, ...path.slice(1)]);
  const takers = dimensions.filter(({ dimension }) => dimension.path !== null && dimension.name === name);
  const named = takers.flatMap(({ dimension }) => [...dimension.atoms.keys()].map((at) => dimension.factValueOf(at)));
  const all = new Set([...named, ...usual(type), ...others].filter((value) => isOfType(value, leaf)));
  const isTaken = (value: Value): boolean =>
    takers.every(({ dimension, possible }) => {
      const fact: ValueObject = {};
      setAt(fact, dimension.path ?? [], value);
      return dimension.isIn(fact, possible);
    });
  const taken = [...all].filter(isTaken);
  // Tables that have no value in common leave none.
  return (taken.length === 0 ? [...all] : taken).slice(0, mostValues);
}

const leavesIn = ({ inputs, program }: CompiledDmn): Leaf[] =>
  inputs.flatMap(({ name, type }, at) => {
    const root = program.parts.inputs[at];
    return root === undefined ? [] : leavesOf([name], type, root);
  });

function leavesOf(path: readonly string[], type: TypeDescription, root: Node): Leaf[] {
  const members = Object.entries(type.members ?? {});
  if (members.length === 0 || path.length > deepest) return [{ path, type, root }];
  return members.flatMap(([name, member]) => leavesOf([...path, name], member, root));
}

/** Whether a value is of the declared type as it stands, by its constraints too. */
function isOfType(value: Value, { path, root }: Leaf): boolean {
  if (value === null) return false;
  const fact: ValueObject = {};
  setAt(fact, ['', ...path.slice(1)], value);
  const run = new Run(newRun());
  return tried(() => isOf(feelFrom(fact[''], root.type, run), root.type, run, 'fact')) === true;
}

/** Values of each kind, and those that its constraints name: most of them are of the type. */
function usual({ kind, item, members = {}, allowed = '' }: TypeDescription, level = 0): Value[] {
  const named = literalsOf(allowed).flatMap((value): Value[] =>
    typeof value === 'number' ? [value, value + 1, value - 1] : [value],
  );
  if (kind === 'list') return [[], ...(level > deepest || item === undefined ? [] : listsOf(usual(item, level + 1)))];
  if (kind !== 'context') return [...named, ...(usualOf[kind] ?? ['other'])];
  const context: ValueObject = {};
  if (level <= deepest)
    for (const [name, member] of Object.entries(members)) setKey(context, name, usual(member, level + 1)[0] ?? null);
  return [context];
}

/** Lists of one value and of two. */
const listsOf = (items: readonly Value[]): Value[] =>
  items.slice(0, mostItems).flatMap((item, at): Value[] => [[item], [item, items[at + 1] ?? item]]);

/** Values of which lists are made. */
const mostItems = 8;

const usualOf: Readonly<Partial<Record<TypeDescription['kind'], readonly Value[]>>> = {
  number: [0, 1, 100],
  boolean: [true, false],
  date: ['2024-01-31'],
  time: ['12:00:00', '00:00:00', '23:59:59'],
  'date and time': ['2024-01-31T12:00:00'],
  'days and time duration': ['P1D'],
  'years and months duration': ['P1Y'],
  any: [1, 'other', true],
};

/** Literals of a document that are looked at. */
const mostLiterals = 60;
/** Moments and durations that are put together. */
const [mostMoments, mostDurations] = [8, 6];

/** What a document writes in its expressions. */
interface Written {
  /** Numbers and texts that may make a difference to an input, whichever it is. */
  readonly literals: readonly Value[];
  /** Those of cells as well, which speak of their own column. */
  readonly all: readonly Value[];
}

/** Elements whose values a document gives, and takes from nobody. */
const given = new Set(['outputEntry', 'outputValues', 'defaultOutputEntry']);

/** @param columns the names of fields whose columns are read: their cells speak of them alone */
function writtenIn(xml: string, columns: ReadonlySet<string>): Written {
  const literals = new Set<Value>();
  const all = new Set<Value>();
  const note = (element: Element, isOwn: boolean): void => {
    if (given.has(element.name)) return;
    if (element.name === 'text' && all.size < mostLiterals)
      for (const value of literalsOf(element.text)) {
        all.add(value);
        if (!isOwn) literals.add(value);
      }
    const reads = childrenOf(element, 'input').map((input) => (textWithin(input, 'inputExpression') ?? '').trim());
    for (const child of element.children) {
      const entries = child.name === 'rule' ? childrenOf(child, 'inputEntry') : [];
      entries.forEach((entry, at) => {
        note(entry, columns.has(reads[at] ?? ''));
      });
      if (child.name !== 'rule') note(child, isOwn);
    }
  };
  note(readDefinitions(xml).root, false);
  return { literals: [...literals], all: [...all] };
}

/** Numbers and texts that stand in an expression. */
const literalsOf = (source: string): Value[] =>
  [...source.slice(0, 2000).matchAll(/"[^"\\]{0,100}"|(?<![\w.])\d{1,15}(?:\.\d{1,10})?/g)].map(([literal]) =>
    literal.startsWith('"') ? literal.slice(1, -1) : (parseNumber(literal) ?? 0),
  );

/** Moments that lie as far from those of a document as its durations are long: what it computes of two of them makes a difference. */
function momentsApart({ all }: Written): Value[] {
  const texts = all.filter((value) => typeof value === 'string');
  const moments = ['2024-01-31', ...texts].flatMap((text) => dateFrom(text) ?? dateTimeFrom(text) ?? []);
  const durations = ['P1D', ...texts].flatMap((text) => durationFrom(text) ?? []).slice(0, mostDurations);
  const known = moments.slice(0, mostMoments);
  const found = known.flatMap((moment) =>
    durations.flatMap((duration) => [minus(moment, duration), plus(moment, duration)]),
  );
  return [...known, ...found].flatMap((each) =>
    each instanceof FeelDate || each instanceof FeelDateTime ? [each.toString()] : [],
  );
}
