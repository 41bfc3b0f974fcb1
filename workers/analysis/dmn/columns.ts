import { tried } from '../../engine/errors.js';
import type { CompiledTable, Column as CompiledColumn } from '../../engine/dmn/boxed/decisionTable.js';
import { childOf, childrenOf, textWithin } from '../../engine/dmn/element.js';
import {
  anyType,
  bare,
  Frame,
  plainTest,
  Run,
  type Feel,
  type FeelType,
  type Scope,
  type Test,
} from '../../engine/feel/index.js';
import { kindOf } from '../../engine/feel/values/value.js';
import type { Value } from '../../engine/values.js';
import { isNumeric } from '../../engine/zen/values/numbers.js';
import { newRun } from '../evaluate.js';
import type { Predicate } from '../predicate.js';
import { ConstantReader, scalarsIn } from './constants.js';
import { fieldName, fieldRead, type ReadField } from './fields.js';
import { frameWith, relationOf, type Relation } from './relation.js';
import { plainTerms, termsOf, type FeelTerms } from './terms.js';

/** A test of a column, and the constants that it compares with; undefined where it does more than that. */
interface ReadTest {
  readonly source: string;
  readonly test: Test;
  readonly constants: readonly Feel[] | undefined;
  readonly hasList: boolean;
  readonly shape: Predicate['shape'] | undefined;
}

/** An input of a table, read. */
export interface FeelColumn {
  /** Of its dimension: two columns of one field have the same. */
  readonly name: string;
  readonly path: readonly string[] | null;
  readonly type: FeelType;
  /** Whether the field itself has a declared type: a date or a duration can be given to no other one. */
  readonly isDeclared: boolean;
  /** Of each rule; undefined for a cell that admits everything. */
  readonly cells: readonly (ReadTest | undefined)[];
  /** What the table takes at all, and what its field's type allows. */
  readonly allowed: readonly ReadTest[];
  /** Where its cells compare it with another field. */
  readonly relation: Relation | undefined;
}

/** The frame of a test that speaks of nothing but its value. Each test has steps of its own. */
const nowhere = (): Frame => new Frame(new Run(newRun()), null, []);

/** What a test says of a value; false where it fails. */
export const holds = (test: Test, value: Feel): boolean => tried(() => test(value, nowhere())) === true;

/** Reads the inputs of a table. */
export function columnsOf({ element, context, inputs }: CompiledTable): FeelColumn[] {
  const reader = new ConstantReader(context, nowhere().run);
  const known = new Map<string, ReadTest>();
  const testOf = (source: string, test: Test, own?: ReadField): ReadTest => {
    const key = `${own === undefined ? '' : fieldName(own.path)}\n${source}`;
    const found = known.get(key) ?? readTest(source, test, reader);
    known.set(key, found);
    if (found.constants !== undefined || own === undefined) return { ...found, test };
    return namingOwn(found, { test, own, reader, scope: context.scope }) ?? { ...found, test };
  };
  const rules = childrenOf(element, 'rule').map((rule) => childrenOf(rule, 'inputEntry'));
  return childrenOf(element, 'input').map((input, index): FeelColumn => {
    const { source, type, cells, allowed } = inputs[index] as CompiledColumn;
    const field = fieldRead(source, context);
    const whole = isAny(type) ? (field?.type ?? anyType) : type;
    // A field of another type is converted, or null: nobody can give it the values of the column.
    const isSame = isAny(type) || isAny(field?.type) || bare(type).kind === bare(field.type).kind;
    const taken = textWithin(input, 'inputValues') ?? '';
    const read = cells.map(({ test }, row) => {
      const entry = rules[row]?.[index];
      const text = (entry === undefined ? '' : (textWithin(entry) ?? '')).trim();
      return text === '' || text === '-' ? undefined : testOf(text, test, isSame ? field : undefined);
    });
    const relation = relationIn(read, whole, reader);
    const name = field === undefined ? source.trim() : fieldName(field.path);
    return {
      name: relation === undefined ? name : `${name} compared with ${fieldName(relation.field.path)}`,
      path: isSame && relation === undefined ? (field?.path ?? null) : null,
      type: whole,
      isDeclared: !isAny(field?.type),
      cells: read,
      relation,
      allowed: [
        ...(allowed === undefined || childOf(input, 'inputValues') === undefined
          ? []
          : [testOf(taken.trim(), (value, frame) => allowed(value, frame) !== false)]),
        ...[field?.type, type].flatMap((each) => constraintsOf(each, testOf)),
      ],
    };
  });
}

const isAny = (type: FeelType | undefined): type is undefined => type === undefined || bare(type).kind === 'any';

function relationIn(cells: FeelColumn['cells'], type: FeelType, reader: ConstantReader): Relation | undefined {
  const tests = cells.filter((cell) => cell !== undefined);
  if (tests.every(({ constants }) => constants !== undefined)) return undefined;
  return relationOf(
    tests.map(({ source }) => tried(() => reader.fieldsOfTest(source))),
    type,
  );
}

function readTest(source: string, test: Test, reader: ConstantReader): ReadTest {
  const shape = plainTest(source)?.shape;
  if (shape?.kind === 'literals' || shape?.kind === 'range') {
    const bounds =
      shape.kind === 'literals' ? shape.values : [shape.low, shape.high].flatMap((bound) => bound?.value ?? []);
    // Literals of the plain notations are the same numbers, texts and truth values for both languages.
    const constants = bounds.map((value) => plainTerms.feelOf(value));
    return { source, test, constants, hasList: false, shape };
  }
  const constants = tried(() => reader.ofTest(source));
  if (constants === undefined) return { source, test, constants, hasList: false, shape: undefined };
  return madeOf(source, test, constants);
}

function madeOf(source: string, test: Test, compared: readonly Feel[]): ReadTest {
  const { scalars, hasList } = scalarsIn(compared);
  // Between two texts there are texts without end, which no atom tells apart.
  if (ordered.test(source.replaceAll(literal, '')) && scalars.some((value) => typeof value === 'string'))
    return { source, test, constants: undefined, hasList, shape: undefined };
  return { source, test, constants: scalars, hasList, shape: undefined };
}

/** A condition that names the field which is tested, `Age > 18` under `Age`: its value is the field's, too. */
function namingOwn(
  { source }: ReadTest,
  {
    test,
    own,
    reader,
    scope,
  }: { readonly test: Test; readonly own: ReadField; readonly reader: ConstantReader; readonly scope: Scope },
): ReadTest | undefined {
  const constants = tried(() => reader.ofTest(source, own));
  if (constants === undefined) return undefined;
  const named: Test = (value) => test(value, frameWith(own.path, value, scope, new Run(newRun())));
  return madeOf(source, named, constants);
}

const literal = /"(?:[^"\\]|\\.)*"/g;
/** What asks for an order. */
const ordered = /[<>]|\.\.|\bbetween\b/;

/** The constraints of a type, of those that it is made of too. */
function constraintsOf(type: FeelType | undefined, testOf: (source: string, test: Test) => ReadTest): ReadTest[] {
  const found: ReadTest[] = [];
  let at = type;
  for (let level = 0; at !== undefined && level < 50; level++) {
    if (at.kind === 'named') at = at.target();
    else if (at.kind === 'constrained') {
      const { allows, text, base } = at;
      // Null is of every type, whatever that allows.
      found.push(testOf(text, (value, { run }) => value === null || allows(value, run)));
      at = base;
    } else return found;
  }
  return found;
}

/** How the values of a field stand: by its type, else by what its cells compare it with. */
export function fieldTerms(columns: readonly FeelColumn[]): FeelTerms | undefined {
  const kinds = new Set(columns.map(({ type }) => bare(type).kind).filter((kind) => kind !== 'any'));
  const [kind] = kinds;
  if (kind !== undefined) return kinds.size === 1 ? termsOf(kind) : undefined;
  const constants = columns.flatMap(({ cells, allowed }) =>
    [...cells, ...allowed].flatMap((cell) => cell?.constants ?? []),
  );
  const named = new Set(constants.map(kindOf).filter((each) => each !== 'null'));
  const all = [...named].map(termsOf);
  const [first] = all;
  if (all.length === 0) return plainTerms;
  return all.every((each) => each === first) ? first : undefined;
}

/** A test as a predicate of a field; undefined where it does more than compare it with constants that stand in its terms. */
export function predicateOf(
  { test, constants, hasList, shape }: ReadTest,
  type: FeelType,
  { termOf, feelOf }: FeelTerms,
): Predicate | undefined {
  const isTyped = bare(type).kind !== 'any';
  // Of a field that may be a list, a list is told apart from others.
  if (constants === undefined || (hasList && !isTyped)) return undefined;
  const terms: Value[] = [];
  for (const constant of constants) {
    if (constant === null) continue;
    const term = termOf(constant);
    if (term !== undefined) terms.push(term);
    // What is of another kind than the field's tells none of its values apart.
    else if (!isTyped || kindOf(constant) === bare(type).kind) return undefined;
  }
  return {
    path: null,
    constants: terms,
    holds: (value) => holds(test, feelOf(value)),
    ...(shape === undefined || !isPlain(type) ? {} : { shape }),
  };
}

const isPlain = (type: FeelType): boolean => termsOf(bare(type).kind) === plainTerms || bare(type).kind === 'any';

/** Whether a value stands for one of a kind. */
export function isOfKind(value: Value, kind: FeelType['kind']): boolean {
  if (kind === 'string' || kind === 'boolean') return typeof value === kind;
  return isNumeric(value);
}
