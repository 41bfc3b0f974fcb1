import type { Grid } from '../files/grid.js';
import { isNumberCell, sureNumber } from '../files/numberCells.js';
import type { Header } from './header.js';
import { readingsOf, rewritten, type Reading } from './readings.js';
import { shownCell, type Json } from './tableOfModel.js';

/** A sheet as its table says the same. */
interface SameMeaning {
  readonly sheet: Grid;
  /** By the columns' places the cells of the file that may mean something else as well: they do only where their row has another cell. */
  readonly doubtful: ReadonlyMap<number, ReadonlySet<string>>;
}

/**
 * A sheet in which a cell that says in other words what its column of the table has already stands as it does there: `18-24`
 * as `[18..24]`, `Personal` as `"Personal"`. So it is no change, and its row is found. Of what may mean several things, the one
 * that the column has: it was asked when the table was made.
 */
export function asInTable(sheet: Grid, header: Header, rules: readonly Json[]): SameMeaning {
  if (rules.length === 0) return { sheet, doubtful: new Map() };
  const present = new Map(
    header.columns.map(({ id, at }) => [at, new Set(rules.map((rule) => shownCell(rule[id]) ?? ''))]),
  );
  const readings = readingsOf(sheet, header, ({ at }) => [...(present.get(at) ?? [])]);
  const doubtful = new Map([...readings.keys()].map((at) => [at, new Set<string>()]));
  const writings = [...readings].map(
    ([at, reading]) => [at, writingOf(present.get(at) ?? new Set(), reading, doubtful.get(at))] as const,
  );
  const sameNumber = (cell: string | undefined, row: number, at: number): string | undefined => {
    if (cell === undefined || !isNumberCell(sheet, row, at)) return cell;
    const [there, sure] = [present.get(at), sureNumber(cell)];
    return there?.has(cell) !== true && there?.has(sure) === true ? sure : cell;
  };
  const rows = rewritten(sheet, header, new Map(writings)).rows.map((cells, row) =>
    // A row that asks for nothing is one all the same.
    cells.some((cell = '') => cell !== '')
      ? cells.map((cell, at) => (cell === '' ? undefined : sameNumber(cell, row, at)))
      : (sheet.rows[row] ?? []),
  );
  return { sheet: { ...sheet, rows }, doubtful };
}

/** A cell as a column of the table has it, by its meaning. @param doubtful gets those of which another one could be meant */
function writingOf(
  present: ReadonlySet<string>,
  { meant, fault }: Reading,
  doubtful: Set<string> | undefined,
): (cell: string) => string {
  // What has a fault is read as something else until it is put right. Made for the first cell that is not there as it stands.
  let byMeaning: ReadonlyMap<string, string> | undefined;
  return (cell) => {
    if (present.has(cell)) return cell;
    byMeaning ??= new Map([...present].filter((text) => fault(text) === undefined).map((text) => [bare(text), text]));
    const source = meant(cell);
    const { readings: all = [source], question } = fault(source) ?? {};
    // Two weeks are fourteen days, and never the two days that the column has.
    const readings = question === 'converted' ? all.slice(0, all.length / 2) : all;
    const [known, ...others] = new Set(readings.flatMap((text) => byMeaning?.get(bare(text)) ?? []));
    if (known === undefined || others.length > 0) return cell;
    if (readings.length > 1) doubtful?.add(cell);
    return known;
  };
}

/** Without the blanks that mean nothing. */
const bare = (text: string): string => text.replaceAll(/"[^"]*"|\s+/g, (part) => (part.startsWith('"') ? part : ''));
