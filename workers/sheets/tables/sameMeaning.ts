import { columnOf, type CellColumn } from '../../cells/index.js';
import { faultIn } from '../../engine/zen/cellFault.js';
import type { Grid, Row } from '../files/grid.js';
import { codeColumns, meantCondition, meantSource } from '../meant.js';
import type { Header } from './header.js';
import { shownCell, type Json } from './tableOfModel.js';

/**
 * A sheet in which a cell that says in other words what its column of the table has already stands as it does there: `18-24`
 * as `[18..24]`, `Personal` as `"Personal"`. So it is no change, and its row is found. What may mean several things stays.
 */
export function asInTable(sheet: Grid, header: Header, rules: readonly Json[]): Grid {
  if (rules.length === 0) return sheet;
  const below = sheet.rows.slice(header.row + 1);
  const codes = codeColumns(below);
  const names = new Set(header.columns.flatMap(({ head, item }) => [head, String(item['field']).split('.')[0] ?? '']));
  const columns = new Map(
    header.columns.map(({ id, at, kind, item }) => {
      const present = new Set(rules.map((rule) => shownCell(rule[id]) ?? ''));
      const isTest = kind === 'input';
      const meant = (cell: string): string => (isTest ? meantCondition : meantSource)(cell.trim(), codes.has(at));
      return [at, new Writings(present, { column: columnOf(item, isTest, [...present]), meant, names })];
    }),
  );
  // A formula without a value and an error are no texts.
  const unread = new Set(
    sheet.notes.flatMap(({ severity, row, column }) => (severity === 'error' ? [`${row} ${column}`] : [])),
  );
  const written = (cells: Row, row: number): Row => {
    const own = Array.from(cells, (cell, at) =>
      cell === undefined || unread.has(`${row} ${at}`) ? cell : (columns.get(at)?.of(cell) ?? cell),
    );
    // A row that asks for nothing is one all the same.
    return own.some((cell = '') => cell !== '') ? own.map((cell) => (cell === '' ? undefined : cell)) : cells;
  };
  const rows = sheet.rows.map((cells, row) => (row <= header.row ? cells : written(cells, row)));
  return { ...sheet, rows };
}

interface Reading {
  readonly column: CellColumn;
  readonly meant: (cell: string) => string;
  readonly names: ReadonlySet<string>;
}

/** What a column of the table has, by its meaning. */
class Writings {
  readonly #present: ReadonlySet<string>;
  readonly #reading: Reading;
  readonly #known = new Map<string, string>();
  /** Made for the first cell that is not there as it stands. */
  #byMeaning: ReadonlyMap<string, string> | undefined;

  constructor(present: ReadonlySet<string>, reading: Reading) {
    this.#present = present;
    this.#reading = reading;
  }

  of(cell: string): string {
    if (this.#present.has(cell)) return cell;
    const known = this.#known.get(cell);
    if (known !== undefined) return known;
    this.#byMeaning ??= new Map(
      [...this.#present].flatMap((text) => (this.#isPlain(text) ? [[bare(text), text]] : [])),
    );
    const meaning = this.#meaning(cell);
    const found = (meaning === undefined ? undefined : this.#byMeaning.get(bare(meaning))) ?? cell;
    this.#known.set(cell, found);
    return found;
  }

  /** Whether it means what it says: what has a fault is read as something else until it is put right. */
  readonly #isPlain = (text: string): boolean => this.#fault(text) === undefined;

  #meaning(cell: string): string | undefined {
    const source = this.#reading.meant(cell);
    const { readings = [source] } = this.#fault(source) ?? {};
    return readings.length === 1 ? readings[0] : undefined;
  }

  #fault(text: string): ReturnType<typeof faultIn> {
    return faultIn(text, this.#reading.column, (name) => this.#reading.names.has(name));
  }
}

/** Without the blanks that mean nothing. */
const bare = (text: string): string => text.replaceAll(/"[^"]*"|\s+/g, (part) => (part.startsWith('"') ? part : ''));
