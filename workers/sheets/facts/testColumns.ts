import { headingText } from '../../cells/index.js';
import { isRecord, recordsIn } from '../../json/index.js';
import { isFilled, type Row } from '../files/grid.js';
import { columnsOf, type Json } from '../tables/tableOfModel.js';
import type { PathColumn } from './columns.js';
import { pathText, readPath, type Step } from './paths.js';
import { valueOfSource } from './values.js';

// Who writes tests in a spreadsheet calls their columns as those of the table are called, or as the fields of the form are.

/** What a decision takes and gives, as JSON Schemas, with the decisions that it runs. */
export interface TestSchemas {
  readonly input: unknown;
  readonly output: unknown;
}

/** What a column is called for: more than one place is a question. */
type Places = ReadonlyMap<string, readonly (readonly Step[])[]>;

const sameName = (name: string): string => headingText(name).toLowerCase();

/** Titles of the names of tests, in small letters; `name` alone is always one. */
const titlesOfNames = ['test', 'test name', 'name'];

/** Titles of what may be their names, and may be something else as well. */
const titlesPerhaps = ['case', 'test case', 'title'];

/**
 * The columns as those of tests, where their titles name fields of the decision, a part of one, or columns of its tables.
 * @param ask is told of a column that may be several
 */
export function asTestColumns(
  model: Json,
  schemas: TestSchemas,
  ask: (column: PathColumn, places: readonly string[]) => void,
): (column: PathColumn) => PathColumn {
  const { exact, alike, headed } = placesIn(model, schemas);
  return (column) => {
    const { title, steps } = column;
    const [first, ...rest] = steps;
    if (first === 'input' || first === 'output') return { ...column, steps: headed.get(title) ?? steps };
    if (title === 'name') return column;
    const known = exact.get(title);
    if (known === undefined && titlesOfNames.slice(0, 2).includes(sameName(title)))
      return { ...column, steps: ['name'] };
    const found =
      known ??
      alike.get(sameName(title)) ??
      within(exact.get(String(first)) ?? alike.get(sameName(String(first))), rest);
    if (found !== undefined && found.length > 1) ask(column, found.map(pathText));
    if (found?.[0] !== undefined) return { ...column, steps: found[0] };
    return titlesOfNames.includes(sameName(title)) ? { ...column, steps: ['name'] } : column;
  };
}

/**
 * Where no column has the names of tests, the first that is called as it may, and is nothing of the decision: where each row has
 * a text in it, and each another one.
 * @param rows those below the header
 */
export function withNames(columns: readonly PathColumn[], rows: readonly Row[]): readonly PathColumn[] {
  if (columns.some(isName)) return columns;
  const filled = rows.filter(isFilled);
  const isDistinct = ({ at }: PathColumn): boolean => {
    const texts = filled
      .map((cells) => valueOfSource(cells[at]?.trim() ?? ''))
      .filter((text) => typeof text === 'string');
    return texts.length > 0 && !texts.includes('') && new Set(texts).size === filled.length;
  };
  // What is something of the decision stands in its facts or results.
  const names = columns.find(
    (column) => column.steps.length === 1 && titlesPerhaps.includes(sameName(column.title)) && isDistinct(column),
  );
  return columns.map((column) => (column === names ? { ...column, steps: ['name'] } : column));
}

/** Whether it is the column with the names of tests. */
export const isName = ({ steps: [first, ...rest] }: PathColumn): boolean => first === 'name' && rest.length === 0;

const within = (
  places: readonly (readonly Step[])[] | undefined,
  rest: readonly Step[],
): readonly (readonly Step[])[] | undefined => places?.map((place) => [...place, ...rest]);

interface KnownPlaces {
  /** As their names are written. */
  readonly exact: Places;
  /** Whatever their letters and blanks. */
  readonly alike: Places;
  /** `output.kr/år inkl. moms` is called as its column, too, whose field has no dot. */
  readonly headed: ReadonlyMap<string, readonly Step[]>;
}

function placesIn(model: Json, schemas: TestSchemas): KnownPlaces {
  const [exact, alike] = [new Map<string, (readonly Step[])[]>(), new Map<string, (readonly Step[])[]>()];
  const headed = new Map<string, readonly Step[]>();
  const put = (name: string, place: readonly Step[]): void => {
    if (name.trim() === '') return;
    for (const [places, key] of [
      [exact, headingText(name)],
      [alike, sameName(name)],
    ] as const) {
      const known = places.get(key) ?? [];
      if (!known.some((each) => pathText(each) === pathText(place))) places.set(key, [...known, place]);
    }
  };
  for (const part of ['input', 'output'] as const) {
    const schema = schemas[part];
    const properties = isRecord(schema) ? schema['properties'] : undefined;
    for (const name of isRecord(properties) ? Object.keys(properties) : []) put(name, [part, name]);
    for (const { type, content } of recordsIn(model['nodes'])) {
      if (type !== 'decisionTableNode' || !isRecord(content) || isMoved(content, part)) continue;
      for (const { kind, head, item } of columnsOf(content)) {
        const field = kind === part && typeof item['field'] === 'string' ? fieldSteps(item['field']) : undefined;
        // What goes from one node to the next is neither taken nor given.
        if (field === undefined || (isRecord(properties) && !Object.hasOwn(properties, String(field[0])))) continue;
        put(head, [part, ...field]);
        const [first, ...rest] = readPath(head) ?? [];
        const isOther = first !== field[0] || rest.join('.') !== field.slice(1).join('.');
        if (isOther && !(isRecord(properties) && Object.hasOwn(properties, String(first))))
          headed.set(`${part}.${head}`, [part, ...field]);
      }
    }
  }
  return { exact, alike, headed };
}

/** Whether what a table reads or writes is a part of what its decision does. */
const isMoved = (content: Json, part: 'input' | 'output'): boolean =>
  content['executionMode'] === 'loop' || Boolean(content[part === 'input' ? 'inputField' : 'outputPath']);

function fieldSteps(field: string): readonly Step[] | undefined {
  const steps = readPath(field);
  return steps?.[0] === '$root' ? steps.slice(1) : steps;
}
