import type { Value } from '../engine/values.js';
import type { Table } from '../engine/nodes/table/content.js';
import type { Deadline } from './deadline.js';
import { BudgetExceeded } from './budget.js';
import type { Box } from './boxes.js';
import { clockPredicate, clockTerms } from './clock.js';
import { momentsIn } from './constants.js';
import { Dimension, type DimensionSource, type NumberRange } from './dimension.js';
import { failingOutput } from './failingOutput.js';
import { fieldPath, pathName } from './paths.js';
import { cellPredicate, computedColumn, conditionPredicates, type Predicate } from './predicate.js';
import { intersection, type Ranges } from './ranges.js';
import { wholeFirstTerms, wholeTerms } from './terms.js';

/** A row as a box over the table's dimensions. */
export interface RowBox {
  readonly index: number;
  /** Outside of it the row does not match. */
  readonly may: Box;
  /** Whether it surely matches within it. */
  readonly isExact: boolean;
  /** Why it may not match within it. */
  readonly reason: string | undefined;
}

/** A table as boxes. */
export interface TableBoxes {
  readonly dimensions: readonly Dimension[];
  readonly rows: readonly RowBox[];
}

/** A field, and what it is compared with outside of the tables. */
interface ComparedField {
  readonly path: readonly string[];
  readonly constants: readonly Value[];
}

/** Predicates of one cell; undefined where it does more than compare a field with constants. */
type CellTests = readonly { readonly dimension: string; readonly predicate: Predicate }[] | undefined;

/** A column: the dimension of its field, and what its cells say of that. */
interface Column {
  readonly testsOf: (cell: string, row: number) => CellTests;
}

/** A table of either language. */
export interface TableSource {
  /** Its columns, which give the space their dimensions. */
  readonly columns: (space: Space) => readonly Column[];
  /** The cells of each row, column by column; '' for what admits everything. */
  readonly rows: readonly (readonly string[])[];
  /** Why a row may not match where its cells hold; undefined where it surely does. */
  readonly reasonOf: (row: number) => string | undefined;
}

/** The dimensions of tables, by name, while they are read. */
export type Space = Map<string, SpaceField>;

interface SpaceField {
  readonly path: readonly string[] | null;
  readonly constants: Set<Value>;
  /** Where what is computed of a field can be. */
  readonly within: NumberRange[];
  type?: Pick<DimensionSource, 'terms' | 'isOfType'>;
}

/** A field's dimension, which is there from then on. */
export function fieldIn(space: Space, name: string, path: readonly string[] | null): SpaceField {
  const field = space.get(name) ?? { path, constants: new Set(), within: [] };
  space.set(name, field);
  return field;
}

/** Whether a field's numbers are whole. */
export type Wholeness = 'known' | 'expected' | 'unknown';

const termsOf = {
  known: { terms: wholeTerms },
  expected: { terms: wholeFirstTerms, isWhole: true },
  unknown: {},
} as const satisfies Readonly<Record<Wholeness, Partial<DimensionSource>>>;

/** Where more is compared than in the tables. */
export interface Beside {
  /** Fields that are dimensions as well. */
  readonly fields?: readonly ComparedField[];
  /** Constants that tell apart what is known of a field. */
  readonly constantsOf?: (path: readonly string[]) => readonly Value[];
  /** Whether a field has no fractions, if it is there at all; `expected`: they may come, and nobody expects them. */
  readonly wholeness?: (path: readonly string[]) => Wholeness;
  /** Whether the input may be a text, a number or a list, of which no name can be read. */
  readonly mayBeNoObject?: boolean;
}

/** Reads a table as boxes. Cells that are no comparisons with constants leave their row inexact. */
export function boxesOf(table: TableSource, until: Deadline, beside: Beside = {}): TableBoxes {
  return jointBoxes([table], until, beside)[0] ?? { dimensions: [], rows: [] };
}

/** @param mayBeNoObject whether the input may be a text, a number or a list, of which no name can be read */
export const zenTable = (table: Table, mayBeNoObject = false): TableSource => ({
  columns: (space) =>
    table.inputs.map(({ id, field }) =>
      columnOf(field, { space, cells: table.rules.map((rule) => rule.get(id) ?? '') }),
    ),
  rows: table.rules.map((rule) => table.inputs.map(({ id }) => rule.get(id) ?? '')),
  reasonOf: (row) => failingOutput(table, row, mayBeNoObject),
});

/**
 * Several tables as boxes over the same dimensions, so that they can be compared.
 * @throws BudgetExceeded
 */
export function jointBoxes(
  tables: readonly TableSource[],
  until: Deadline,
  { fields = [], constantsOf = () => [], wholeness = () => 'unknown', mayBeNoObject = false }: Beside = {},
): TableBoxes[] {
  const space: Space = new Map();
  for (const { path, constants } of fields) addTo(space.get(dimensionOf(path, space)), constants);
  const read = tables.map((table) => new TableReading(table, space, until));
  // What is known of a field is known of its values as they stand.
  for (const field of space.values())
    if (field.path !== null && field.type === undefined) addTo(field, constantsOf(field.path));
  const dimensions = [...space].map(([name, { path, constants, within, type }]) => {
    // Of a longer path only the first name could fail, and is null there.
    const mayFail = path === null || (mayBeNoObject && path.length === 1);
    return new Dimension({
      ...{ name, path, mayFail, constants: [...constants], within },
      ...(path === null ? {} : termsOf[wholeness(path)]),
      ...type,
    });
  });
  return read.map((reading) => ({ dimensions, rows: reading.rows(dimensions) }));
}

/** A table's cells as tests, which first give the dimensions their constants, then rows their boxes. */
class TableReading {
  readonly #table: TableSource;
  /** By column and cell. */
  readonly #tests = new Map<string, CellTests>();
  readonly #sets = new Map<Predicate, Ranges>();

  readonly #until: Deadline;

  constructor(table: TableSource, space: Space, until: Deadline) {
    this.#table = table;
    this.#until = until;
    const columns = table.columns(space);
    for (const [row, cells] of table.rows.entries()) {
      this.#check();
      columns.forEach(({ testsOf }, column) => {
        const cell = cells[column] ?? '';
        const key = `${column}:${cell}`;
        if (cell === '' || this.#tests.has(key)) return;
        const found = testsOf(cell, row);
        this.#tests.set(key, found);
        for (const { dimension, predicate } of found ?? []) {
          const field = space.get(dimension);
          addTo(field, predicate.constants);
          if (field?.path !== null) field?.within.push(...(predicate.within ?? []));
        }
      });
    }
  }

  rows(dimensions: readonly Dimension[]): RowBox[] {
    const positions = new Map(dimensions.map(({ name }, index) => [name, index]));
    const whole: Box = dimensions.map(({ all }) => all);
    return this.#table.rows.map((cells, index): RowBox => {
      this.#check();
      let may = whole;
      let reason = this.#table.reasonOf(index);
      cells.forEach((cell, column) => {
        if (cell === '') return;
        const found = this.#tests.get(`${column}:${cell}`);
        if (found === undefined) reason ??= `\`${cell}\` does more than compare a field with constants`;
        for (const { dimension, predicate } of found ?? []) {
          const at = positions.get(dimension) ?? 0;
          may = may.with(at, intersection(may[at] ?? [], this.#setOf(predicate, dimensions[at] as Dimension)));
        }
      });
      return { index, may, isExact: reason === undefined, reason };
    });
  }

  #check(): void {
    if (this.#until.isOver()) throw new BudgetExceeded();
  }

  #setOf(predicate: Predicate, dimension: Dimension): Ranges {
    const set = this.#sets.get(predicate) ?? admitted(predicate, dimension);
    this.#sets.set(predicate, set);
    return set;
  }
}

/** Thousands of cells name the same few constants. */
function addTo(field: SpaceField | undefined, constants: readonly Value[]): void {
  for (const constant of constants) field?.constants.add(constant);
}

/** The name of a field's dimension, which is there from then on. */
function dimensionOf(path: readonly string[], space: Space): string {
  const name = pathName(path);
  fieldIn(space, name, path);
  return name;
}

interface ColumnPlace {
  readonly space: Space;
  readonly cells: readonly string[];
}

function columnOf(field: string, { space, cells }: ColumnPlace): Column {
  if (field === '') {
    return {
      testsOf: (cell) =>
        conditionPredicates(cell)?.map((predicate) => ({
          dimension: dimensionOf(predicate.path ?? [], space),
          predicate,
        })),
    };
  }
  const path = fieldPath(field);
  if (path !== undefined) return clockColumn(path, { space, cells }) ?? fieldColumn(path, space);
  const computed = computedColumn(field);
  if (computed !== undefined) {
    const testsOf = (cell: string): CellTests => {
      const predicate = computed(cell);
      return predicate && wrapped(dimensionOf(predicate.path ?? [], space), predicate);
    };
    return { testsOf };
  }
  // Nothing is known of what an expression gives, so its values stand for themselves.
  fieldIn(space, field, null);
  return { testsOf: (cell) => wrapped(field, cellPredicate(cell)) };
}

function fieldColumn(path: readonly string[], space: Space): Column {
  const testsOf = (cell: string): CellTests => {
    const dimension = dimensionOf(path, space);
    const predicate = cellPredicate(cell);
    // Whatever is done with a time or a day, examples of the field have it as a text.
    if (predicate === undefined) addTo(space.get(dimension), momentsIn(cell));
    return wrapped(dimension, predicate);
  };
  return { testsOf };
}

/** A column of nothing but times of the day, in their own terms; undefined where one of its cells is anything else. */
function clockColumn(path: readonly string[], { space, cells }: ColumnPlace): Column | undefined {
  const filled = cells.filter((cell) => cell.trim() !== '');
  if (filled.length === 0 || filled.some((cell) => clockPredicate(cell) === undefined)) return undefined;
  const name = `time(${pathName(path)})`;
  fieldIn(space, name, path).type = { terms: clockTerms };
  return { testsOf: (cell) => wrapped(name, clockPredicate(cell)) };
}

export const wrapped = (dimension: string, predicate: Predicate | undefined): CellTests =>
  predicate && [{ dimension, predicate }];

/** The atoms for whose values a predicate holds. */
const admitted = (predicate: Predicate, dimension: Dimension): Ranges =>
  predicate.shape === undefined ? dimension.admittedOf(predicate) : dimension.admittedBy(predicate.shape);
