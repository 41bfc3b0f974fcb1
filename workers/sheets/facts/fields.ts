import { headingText } from '../../cells/index.js';
import { isRecord } from '../../json/index.js';
import { nearest } from '../../nearest/index.js';
import { cellNameAt } from '../files/grid.js';
import type { PathColumn } from './columns.js';
import { pathText, type Step } from './paths.js';

// A column with a misspelt title would be sent as a field that nobody reads, and its decision would answer as if the fact had none.

interface FieldColumns {
  /** Those that are a field but for capitals, blanks, `_` and `-` are that field. */
  readonly columns: readonly PathColumn[];
  /** What to ask before a row is run: columns that are no field, and fields that have no column. Empty where each field has one. */
  readonly questions: readonly string[];
}

interface Place {
  /** The sheet's name, and the row with the titles. */
  readonly sheet: string;
  readonly row: number;
  /** Titles of columns that are the item's own: a field of that name has no column. */
  readonly own: readonly string[];
}

/** The columns of a sheet by the fields that a decision takes. @param input the JSON Schema of its facts; one that names no field knows every column */
export function fieldColumns(columns: readonly PathColumn[], input: unknown, { sheet, row, own }: Place): FieldColumns {
  const leaves = leavesOf(input).filter(
    ({ steps: [first, ...rest] }) => rest.length > 0 || !own.includes(String(first)),
  );
  if (leaves.length === 0) return { columns, questions: [] };
  const exact = columns.map((column) => fieldAt(input, column, isSame));
  const taken = new Set(exact.flatMap((steps) => (steps === undefined ? [] : pathText(steps))));
  const alike = columns.map((column, index) => exact[index] ?? fieldAt(input, column, isAlike));
  const texts = alike.map((steps) => (steps === undefined ? undefined : pathText(steps)));
  const known = alike.map((steps, index) => {
    if (exact[index] !== undefined) return exact[index];
    const isOnly = !taken.has(texts[index] ?? '') && texts.filter((text) => text === texts[index]).length === 1;
    return isOnly ? steps : undefined;
  });
  const found = columns.map((column, index) => ({ ...column, steps: known[index] ?? column.steps }));
  const strangers = columns.filter((_column, index) => known[index] === undefined);
  const missing = leaves
    .filter(({ isOptional }) => !isOptional || strangers.length > 0)
    .filter(({ steps }) => !found.some((column) => isWithin(column.steps, steps) || isWithin(steps, column.steps)))
    .map(({ steps }) => pathText(steps));
  if (missing.length === 0) return { columns: found, questions: [] };
  const toldOf = ({ at, title }: PathColumn): string => {
    const near = nearField(title, missing);
    const meant = near === undefined ? '' : ` Is ${JSON.stringify(near)} meant?`;
    return `${cellNameAt(sheet, row, at)}: ${JSON.stringify(title.slice(0, 100))} is no field that the decision takes.${meant}`;
  };
  const questions = [
    ...strangers.map(toldOf),
    ...missing.map((name) => `No column is the field ${JSON.stringify(name)}, which the decision takes.`),
  ];
  return { columns: found, questions };
}

/** The places of a schema's fields as they stand there, by their paths. */
export const fieldOrder = (schema: unknown): ReadonlyMap<string, number> =>
  new Map(leavesOf(schema).map(({ steps }, index) => [pathText(steps), index]));

interface Leaf {
  readonly steps: readonly Step[];
  /** The model says itself which fields a fact must have, and this is none. */
  readonly isOptional: boolean;
}

const mostSteps = 20;

/** The fields that have no fields themselves, of which anything is known. */
function leavesOf(schema: unknown, leaf: Leaf = { steps: [], isOptional: false }): readonly Leaf[] {
  const properties = propertiesOf(schema);
  const names = Object.keys(properties ?? {});
  if (names.length === 0 || leaf.steps.length === mostSteps) return leaf.steps.length === 0 ? [] : [leaf];
  const required = isRecord(schema) && Array.isArray(schema['required']) ? schema['required'] : names;
  return names.flatMap((name) =>
    leavesOf(properties?.[name], {
      steps: [...leaf.steps, name],
      isOptional: leaf.isOptional || !required.includes(name),
    }),
  );
}

const propertiesOf = (schema: unknown): Readonly<Record<string, unknown>> | undefined =>
  isRecord(schema) && isRecord(schema['properties']) ? schema['properties'] : undefined;

type Fits = (name: string, step: string) => boolean;

const isSame: Fits = (name, step) => name === step;
const bare = (name: string): string =>
  headingText(name)
    .toLowerCase()
    .replaceAll(/[\s_-]/g, '');
const isAlike: Fits = (name, step) => bare(step) !== '' && bare(name) === bare(step);

/** The field that a title names, by its path or as one name; undefined where none fits, or several do. */
function fieldAt(schema: unknown, { steps, title }: PathColumn, fits: Fits): readonly Step[] | undefined {
  return within(schema, steps, fits) ?? within(schema, [title], fits);
}

function within(schema: unknown, steps: readonly Step[], fits: Fits): readonly Step[] | undefined {
  const [first, ...rest] = steps;
  if (first === undefined) return [];
  if (typeof first === 'number')
    return after(first, within(isRecord(schema) ? schema['items'] : undefined, rest, fits));
  const properties = propertiesOf(schema);
  // Where nothing is known of an object's fields, each may be one.
  if (properties === undefined) return steps;
  const names = Object.hasOwn(properties, first)
    ? [first]
    : Object.keys(properties).filter((name) => fits(name, first));
  const [name] = names;
  if (name !== undefined && names.length === 1) return after(name, within(properties[name], rest, fits));
  const others = isRecord(schema) ? schema['additionalProperties'] : undefined;
  return names.length === 0 && (others === true || isRecord(others)) ? steps : undefined;
}

const after = (step: Step, rest: readonly Step[] | undefined): readonly Step[] | undefined => rest && [step, ...rest];

const isWithin = (outer: readonly Step[], inner: readonly Step[]): boolean =>
  outer.every((step, index) => inner[index] === step);

/** The field without a column that a title is most like: by its letters, or as its beginning. */
function nearField(title: string, missing: readonly string[]): string | undefined {
  const begins = missing.filter((name) => bare(name).startsWith(bare(title)) || bare(title).startsWith(bare(name)));
  return nearest(title, missing) ?? (begins.length === 1 ? begins[0] : undefined);
}
