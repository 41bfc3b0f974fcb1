import type { Fault, Model } from '../api/types.js';
import { rowsOf, ruleIdOf, ruleIndexes, stepsOf, textOf, type Fields } from '../graph/fields.js';

/**
 * Faults that were found in one model, in another one that came of it: each goes with its node and its row, by their ids,
 * and is gone where these are, or where its cell has another text by now.
 */
export function movedFaults(faults: readonly Fault[], from: Model, to: Model): readonly Fault[] {
  if (from === to) return faults;
  const nodes = new Map(to.nodes.map(({ id }, at) => [id, at]));
  const rows = new Map<string, ReadonlyMap<string, number>>();
  const rowsIn = (at: number, list: string): ReadonlyMap<string, number> => {
    const name = `${at} ${list}`;
    const known = rows.get(name) ?? ruleIndexes(rowsOf(to.nodes[at]?.content, list));
    rows.set(name, known);
    return known;
  };
  return faults.flatMap((fault) => {
    const [start = '', node = '', content = '', list = '', row = '', column = ''] = stepsOf(fault.pointer ?? '');
    const before = from.nodes[Number(node)];
    if (start !== 'nodes' || before === undefined) return [fault];
    const at = nodes.get(before.id);
    if (at === undefined) return [];
    const old = rowsOf(before.content, list)[Number(row)];
    if (content !== 'content' || row === '' || old === undefined) return [placed(fault, [at])];
    const index = rowsIn(at, list).get(ruleIdOf(old, Number(row)));
    const now = rowsOf(to.nodes[at]?.content, list)[index ?? -1];
    if (index === undefined || now === undefined || !isSameCell(old, now, column)) return [];
    return [placed(fault, [at, index])];
  });
}

const isSameCell = (one: Fields, other: Fields, column: string): boolean =>
  one === other || textOf(one[column]) === textOf(other[column]);

/** A fault with other numbers in its pointer, in their order, and in what a row is called. */
function placed(fault: Fault, [node = 0, row]: readonly number[]): Fault {
  const steps = (fault.pointer ?? '').split('/');
  const next = steps.with(2, String(node));
  const pointer = (row === undefined ? next : next.with(5, String(row))).join('/');
  if (pointer === fault.pointer) return fault;
  const field = row === undefined ? fault.field : (fault.field?.replace(/^rule \d+/, `rule ${row + 1}`) ?? null);
  return { ...fault, pointer, field };
}

/** Rows of a table by their indexes in what it was, by those that they have now: each by its id. */
export function movedRows(rows: ReadonlySet<number>, before: unknown, now: unknown): ReadonlySet<number> {
  if (before === now) return rows;
  const old = rowsOf(before, 'rules');
  const indexes = ruleIndexes(rowsOf(now, 'rules'));
  return new Set([...rows].flatMap((row) => indexes.get(ruleIdOf(old[row] ?? {}, row)) ?? []));
}
