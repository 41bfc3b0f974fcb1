import { stringify } from '../engine/index.js';
import type { Rule, Table } from '../engine/nodes/table/content.js';
import { BudgetExceeded, spend, type Budget } from './budget.js';
import { meetsAll, merged, overlap, uncovered, type Box } from './boxes.js';
import { constantOf } from './constants.js';
import type { Deadline } from './deadline.js';
import type { Dimension } from './dimension.js';
import type { Ranges } from './ranges.js';
import { jointBoxes, zenTable, type RowBox, type TableBoxes } from './tableBoxes.js';

/** Where two versions of a table give different results. */
export interface TableChange {
  readonly boxes: TableBoxes;
  readonly regions: readonly ChangedRegion[];
  /** Why the regions may not be all there is, or may not differ; null where they are exact. */
  readonly reason: string | null;
}

interface ChangedRegion {
  readonly box: Box;
  /** Indexes of the rows that each version takes there. */
  readonly before: readonly number[];
  readonly after: readonly number[];
}

/** Pieces of the space that are looked at. */
const mostPieces = 5000;

/** What a comparison of two tables gives; as a text why it gives nothing. @param word what the language calls rows */
export function compareWithin(
  until: Deadline,
  word: 'rows' | 'rules',
  compare: (budget: Budget) => TableChange,
): TableChange | string {
  try {
    return compare({ comparisons: 10_000_000, until });
  } catch (error) {
    if (error instanceof BudgetExceeded) return `the ${word} divide the inputs into too many parts`;
    throw error;
  }
}

/**
 * Compares two tables that take the first matching row, over all inputs there are.
 * @throws BudgetExceeded
 */
export function tableChange(
  before: Table,
  after: Table,
  { budget, mayBeNoObject = false }: { readonly budget: Budget; readonly mayBeNoObject?: boolean },
): TableChange {
  const boxes = jointBoxes(
    [before, after].map((table) => zenTable(table, mayBeNoObject)),
    budget.until,
    { mayBeNoObject },
  );
  return changeOfBoxes(boxes as [TableBoxes, TableBoxes], {
    budget,
    isFirst: true,
    isSame: sameResults(before, after),
  });
}

interface Compared {
  readonly budget: Budget;
  /** Whether the first row that matches counts alone. */
  readonly isFirst: boolean;
  /** Whether rows of the older and of the newer table give the same results. */
  readonly isSame: (before: readonly number[], after: readonly number[]) => boolean;
  /** The atoms of a dimension that its field may have; all unless told. */
  readonly possibleOf?: (dimension: Dimension) => Ranges;
}

/**
 * The same of tables of either language, whose rows stand in the order in which they hide one another.
 * @throws BudgetExceeded
 */
export function changeOfBoxes(
  [old, young]: readonly [TableBoxes, TableBoxes],
  { budget, isFirst, isSame, possibleOf = ({ all }) => all }: Compared,
): TableChange {
  const inexact = [...old.rows, ...young.rows].find(({ isExact }) => !isExact);
  const found: ChangedRegion[] = [];
  const whole: Box = old.dimensions.map(possibleOf);
  const means = { budget, isFirst };
  for (const { rows, box } of takenIn(old.rows, whole, means)) {
    for (const next of takenIn(young.rows, box, means)) {
      if (!isSame(rows, next.rows)) found.push({ box: next.box, before: rows, after: next.rows });
      if (found.length > mostPieces)
        return { boxes: old, regions: [], reason: 'the versions differ in too many places' };
    }
  }
  return { boxes: old, regions: joined(found), reason: inexact?.reason ?? null };
}

/** A part of a box, and the rows that take it. */
interface Part {
  readonly rows: readonly number[];
  readonly box: Box;
}

/** Which rows take which part of a box: all that match, or the first one alone. */
function* takenIn(
  rows: readonly RowBox[],
  box: Box,
  { budget, isFirst }: Pick<Compared, 'budget' | 'isFirst'>,
): Iterable<Part> {
  let left: Part[] = [{ rows: [], box }];
  for (const { index, may } of rows) {
    spend(budget, left.length);
    const rest: Part[] = [];
    for (const part of left) {
      if (!meetsAll(part.box, may)) {
        rest.push(part);
        continue;
      }
      const taken = { rows: [...part.rows, index], box: overlap(part.box, may) };
      if (isFirst) yield taken;
      else rest.push(taken);
      rest.push(...uncovered(part.box, [may], budget).map((other) => ({ ...part, box: other })));
    }
    left = rest;
    if (left.length === 0) return;
  }
  yield* left;
}

/** Regions with the same rows, in as few boxes as can be. */
function joined(regions: readonly ChangedRegion[]): ChangedRegion[] {
  const groups = new Map<string, ChangedRegion[]>();
  for (const region of regions) {
    const key = `${region.before.join()} ${region.after.join()}`;
    groups.set(key, [...(groups.get(key) ?? []), region]);
  }
  return [...groups.values()].flatMap((group) =>
    merged(group.map(({ box }) => box)).map((box) => ({ ...(group[0] as ChangedRegion), box })),
  );
}

/**
 * Whether two rows give the same results: the same cells, or cells with the same values. Results that read `$` are like no
 * others: it is the field that was tested last, which may be another one.
 */
function sameResults(before: Table, after: Table): Compared['isSame'] {
  const [old, young] = [textsOf(before), textsOf(after)];
  return (ones, others) => {
    const text = old(ones);
    return !text.includes('$') && text === young(others);
  };
}

/** The results of a row, made once for each. */
function textsOf(table: Table): (rows: readonly number[]) => string {
  const known = new Map<number | undefined, string>([[undefined, 'none']]);
  return ([row]) => {
    const text = known.get(row) ?? resultsText(table, table.rules[row ?? 0]);
    known.set(row, text);
    return text;
  };
}

function resultsText({ outputs }: Table, rule: Rule | undefined): string {
  const cells = outputs.map(({ id, path, collect }) => {
    const cell = path === '' ? '' : (rule?.get(id) ?? '');
    return cell === '' ? [] : [path, collect, valueText(cell)];
  });
  return JSON.stringify(cells.filter(({ length }) => length > 0));
}

/** The value of a constant, else what stands in the cell. */
function valueText(cell: string): string {
  const value = constantOf(cell);
  return value === undefined ? `=${cell}` : stringify(value);
}
