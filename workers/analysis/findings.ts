import type { Table } from '../engine/nodes/table/content.js';
import type { Deadline } from './deadline.js';
import { attempt, BudgetExceeded, type Budget } from './budget.js';
import { columnsOf } from './columns.js';
import { isEmptyBox, merged, overlap, uncovered, type Box } from './boxes.js';
import { anything, atomsOf, constantsOf, type Known } from './knownValues.js';
import type { Dimension } from './dimension.js';
import { proved, undecided, type Finding } from './finding.js';
import { difference, none, type Ranges } from './ranges.js';
import { Neighbours } from './neighbours.js';
import { redundantRows, resultKeys } from './redundant.js';
import { exactBoxes, RegionSearch } from './region.js';
import { isKnownWhole } from './schemaTypes.js';
import {
  boxesOf,
  zenTable,
  type Beside,
  type RowBox,
  type TableBoxes,
  type TableSource,
  type Wholeness,
} from './tableBoxes.js';

export interface TableFindings {
  readonly boxes: TableBoxes;
  readonly findings: readonly Finding[];
  /** Of each row, the inputs that it takes before any other row may: null where there are none, or it is not known. */
  readonly regions: readonly (Box | null)[];
  /** Rows that no input reaches. */
  readonly unreachable: ReadonlySet<number>;
  /** Whether some row surely takes every input. */
  readonly isTotal: boolean;
}

/** How a table takes its rows: what of it is a finding. */
export interface Ruling {
  /** The rows in the order in which they hide one another; null where none does. */
  readonly order: readonly number[] | null;
  /** Whether an input that no row takes is one. */
  readonly hasGaps: boolean;
  /** Whether two rows that hold together are one: `unknown` why that cannot be said. */
  readonly overlaps: (one: number, other: number) => boolean | { readonly unknown: string };
  /** The results of each row as a text, the same for the same results; null where later rows are not compared by them. */
  readonly results: readonly string[] | null;
  /** Whether what inputs may be is declared: a row that takes none of that is one. */
  readonly isTyped?: boolean;
}

/** What is known of a table's input. */
export interface Given {
  readonly at: (path: readonly string[]) => Known;
  /** False where it may be a text, a number or a list as well. */
  readonly isObject: boolean;
  /** It is a request, which has no dates but texts that name them. */
  readonly isRequest?: boolean;
  /** Of fields of whose columns somebody has said it. */
  readonly wholeness?: (path: readonly string[]) => Wholeness;
}

const anyObject: Given = { at: () => anything, isObject: true };

/** Comparisons of two boxes for one table: many seconds, where the boxes are many sets. */
const comparisonsOfTable = 30_000_000;
const mostGaps = 20;
const mostOverlaps = 200;
/** Boxes of a region that are looked at; one of more is given up. */
const mostBoxes = 2000;

/**
 * Finds gaps, rows that can never matter, rows that contradict themselves, and rows of a collecting table that hold together.
 * All is told of the inputs that are possible by what is given.
 * @param until after which the rest is unknown
 */
export function findingsOf(table: Table, until: Deadline, given: Given = anyObject): TableFindings {
  return findingsFor(zenTable(table, !given.isObject), until, {
    ruling: rulingOf(table),
    beside: {
      constantsOf: (path) => constantsOf(given.at(path)),
      wholeness: (path) => (isKnownWhole(given.at(path)) ? 'known' : (given.wholeness?.(path) ?? 'unknown')),
      mayBeNoObject: !given.isObject,
    },
    possibleOf: (dimension) =>
      dimension.path === null || dimension.isTranslated ? dimension.all : atomsOf(given.at(dimension.path), dimension),
    isRequest: given.isRequest === true,
  });
}

function rulingOf(table: Table): Ruling {
  const isFirst = !table.collect && table.outputs.every(({ collect }) => !collect);
  return {
    order: isFirst ? [...table.rules.keys()] : null,
    hasGaps: isFirst,
    overlaps: () => !isFirst,
    results: isFirst ? resultKeys(table) : null,
  };
}

/** What findings are about, beside the table. */
interface Question {
  readonly ruling: Ruling;
  readonly beside: Beside;
  /** The atoms of a dimension that its field may have. */
  readonly possibleOf: (dimension: Dimension) => Ranges;
  /** Gaps and overlaps are told of what a request can hold alone; who calls the decision from another one may give more. */
  readonly isRequest?: boolean;
}

/** The same of a table of either language. @param until after which the rest is unknown */
export function findingsFor(
  table: TableSource,
  until: Deadline,
  { ruling, beside, possibleOf, isRequest = false }: Question,
): TableFindings {
  const budget: Budget = { comparisons: comparisonsOfTable, until };
  try {
    const boxes = boxesOf(table, until, beside);
    const possible = boxes.dimensions.map(possibleOf);
    // Of a type that is declared, dates stand for the texts that name them.
    const usual = boxes.dimensions.map(({ all, dates }, at) =>
      isRequest && possible[at] === all ? difference(all, dates) : (possible[at] ?? none),
    );
    return findingsIn(ruling, { boxes, possible, usual }, budget);
  } catch (error) {
    if (!(error instanceof BudgetExceeded)) throw error;
    const boxes: TableBoxes = { dimensions: [], rows: [] };
    const findings = [undecided('gap', [], tooMany)];
    return { boxes, findings, regions: table.rows.map(() => null), unreachable: new Set(), isTotal: false };
  }
}

/** A table as boxes, and where its inputs may be. */
interface Space {
  readonly boxes: TableBoxes;
  readonly possible: Box;
  /** The part of it of which gaps and overlaps are told. */
  readonly usual: Box;
}

function findingsIn(ruling: Ruling, { boxes, possible, usual }: Space, budget: Budget): TableFindings {
  const findings: Finding[] = [];
  const conflicts = new Set(boxes.rows.filter(({ may }) => isEmptyBox(may)).map(({ index }) => index));
  for (const row of conflicts) findings.push(proved('conflict', [row], null));
  const inOrder = ruling.order?.flatMap((index) => boxes.rows[index] ?? []) ?? boxes.rows;
  const live = inOrder.filter(({ index }) => !conflicts.has(index));
  const columns = columnsOf(live, boxes.dimensions);
  const near = new Neighbours(live, columns);
  const regions: (Box | null)[] = boxes.rows.map(() => null);
  const shadowed = new Set<number>();
  const unreachable = new Set(conflicts);
  // A row that earlier ones cover adds nothing to what they cover of later ones.
  const covering: number[] = [];
  const search = new RegionSearch(live, columns, possible);
  for (const [position, row] of live.entries()) {
    const others = near.among(ruling.order === null ? [] : covering, position);
    const found = attempt(budget, (limited) => search.regionOf(row, others, limited));
    if (found === 'shadowed' || found === 'unreachable') unreachable.add(row.index);
    if (found === 'unreachable' && ruling.isTyped)
      findings.push({ ...proved('conflict', [row.index], null), isOutside: true });
    if (found === 'shadowed') {
      shadowed.add(row.index);
      const hiddenBy = search.hiderOf(row, others);
      findings.push({
        ...proved('shadowed', [row.index], search.hiddenPart(row, hiddenBy, others, budget)),
        ...(hiddenBy && { hiddenBy: hiddenBy.index }),
      });
      continue;
    }
    covering.push(position);
    if (found === undefined) findings.push(undecided('shadowed', [row.index], tooMany));
    else if (found !== 'unreachable') regions[row.index] = found;
  }
  const covers = live.filter(({ index }) => !shadowed.has(index));
  if (ruling.hasGaps) findings.push(...gaps({ boxes, usual }, covers, budget));
  if (ruling.results !== null) {
    const { redundant, undecided: open } = redundantRows(ruling.results, { live, shadowed, regions, near, budget });
    for (const { index, may } of redundant) findings.push(proved('redundant', [index], regions[index] ?? may));
    // Of a row that may never be reached it was said already.
    for (const { index } of open) if (regions[index] !== null) findings.push(undecided('redundant', [index], tooMany));
  }
  findings.push(...overlaps(live, { ruling, usual, near, until: budget.until }));
  const isTotal = attempt(budget, (limited) => uncovered(possible, exactBoxes(covers), limited, 1).length === 0);
  return { boxes, findings, regions, unreachable, isTotal: isTotal === true };
}

const tooMany = 'the rows divide the inputs into too many parts';

function gaps(
  { boxes: { dimensions, rows }, usual }: Pick<Space, 'boxes' | 'usual'>,
  live: readonly RowBox[],
  budget: Budget,
): Finding[] {
  const expected: Box = dimensions.map((dimension) => dimension.expected);
  const others = live.filter(({ isExact }) => !isExact);
  try {
    const found = merged(uncovered(overlap(expected, usual), exactBoxes(live), budget, mostBoxes + 1));
    if (found.length > mostBoxes) return [undecided('gap', [], tooMany)];
    const told = found.slice(0, mostGaps).map((region) => {
      const taking = others.filter(({ may }) => !isEmptyBox(overlap(may, region)));
      const reason = taking[0]?.reason ?? null;
      return reason === null ? proved('gap', [], region) : undecided('gap', [], reason, region);
    });
    const more = found.length - told.length;
    // Who mends all that is told must not take that for all there is.
    const rest = `there are ${more} more places of the kind: mend some of those that are told, and look again`;
    return more === 0 ? told : [...told, undecided('gap', [], rest)];
  } catch (error) {
    if (error instanceof BudgetExceeded) return [undecided('gap', [], rows.length === 0 ? '' : tooMany)];
    throw error;
  }
}

interface OverlapSearch {
  readonly ruling: Ruling;
  readonly usual: Box;
  readonly near: Neighbours;
  readonly until: Deadline;
}

/** Pairs of rows that hold together. */
function overlaps(live: readonly RowBox[], { ruling, usual, near, until }: OverlapSearch): Finding[] {
  const findings: Finding[] = [];
  if (ruling.order !== null) return findings;
  for (const [at, row] of live.entries()) {
    if (until.isOver()) return [...findings, undecided('overlap', [], tooMany)];
    for (const other of near.after(at)) {
      const region = overlap(overlap(row.may, other.may), usual);
      if (isEmptyBox(region)) continue;
      const isOne = ruling.overlaps(row.index, other.index);
      if (isOne === false) continue;
      if (findings.length === mostOverlaps)
        return [...findings, undecided('overlap', [], 'there are too many of them')];
      const reason = row.reason ?? other.reason ?? (isOne === true ? undefined : isOne.unknown);
      const rows = [row.index, other.index];
      // Where results are computed, a run that takes both rows does not show that they differ.
      findings.push(
        reason === undefined
          ? proved('overlap', rows, region)
          : undecided('overlap', rows, reason, isOne === true ? region : null),
      );
    }
  }
  return findings;
}
