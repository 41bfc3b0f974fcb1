import type { Fault, Model } from '../api/types.js';
import { rowsOf, ruleIdOf, ruleIndexes, stepsOf, textOf, type Fields } from '../graph/fields.js';

/**
 * Faults that were found in one model, in another one that came of it: each goes with its node and its row, by their ids,
 * and is gone where these are, or where its cell has another text by now.
 */
export function movedFaults(faults: readonly Fault[], from: Model, to: Model): readonly Fault[] {
  if (from === to) return faults;
  const nodes = new Map(to.nodes.map(({ id }, at) => [id, at]));
  const [oldRows, newRows] = [listsOf(from), listsOf(to)];
  return faults.flatMap((fault) => {
    const [start = '', node = '', content = '', list = '', row = '', column = ''] = stepsOf(fault.pointer ?? '');
    const before = from.nodes[Number(node)];
    if (start !== 'nodes' || before === undefined) return [fault];
    const at = nodes.get(before.id);
    if (at === undefined) return [];
    const old = oldRows(Number(node), list).rows[Number(row)];
    if (content !== 'content' || row === '' || old === undefined) return [placed(fault, [at])];
    const { rows, indexes } = newRows(at, list);
    const index = indexes.get(ruleIdOf(old, Number(row)));
    const now = rows[index ?? -1];
    if (index === undefined || now === undefined || !isSameCell(old, now, column)) return [];
    const stays = at === Number(node) && index === Number(row);
    return [stays ? fault : placed(fault, [at, index])];
  });
}

interface List {
  readonly rows: readonly Fields[];
  /** By their ids. */
  readonly indexes: ReadonlyMap<string, number>;
}

/** The lists of a model's nodes, each read once: a table of thousands of rows may have as many faults. */
function listsOf({ nodes }: Model): (at: number, name: string) => List {
  const known = new Map<string, List>();
  return (at, name) => {
    const key = `${at} ${name}`;
    let list = known.get(key);
    if (list === undefined) {
      const rows = rowsOf(nodes[at]?.content, name);
      list = { rows, indexes: ruleIndexes(rows) };
      known.set(key, list);
    }
    return list;
  };
}

const isSameCell = (one: Fields, other: Fields, column: string): boolean =>
  one === other || textOf(one[column]) === textOf(other[column]);

/** A fault with other numbers in its pointer, in their order, and in what a row is called. */
export function placed(fault: Fault, [node = 0, row]: readonly number[]): Fault {
  const steps = (fault.pointer ?? '').split('/');
  const next = steps.with(2, String(node));
  const pointer = (row === undefined ? next : next.with(5, String(row))).join('/');
  if (pointer === fault.pointer) return fault;
  const field = row === undefined ? fault.field : (fault.field?.replace(/(^|, )rule \d+/, `$1rule ${row + 1}`) ?? null);
  return { ...fault, pointer, field };
}

/** Rows of a table by their indexes in what it was, by those that they have now: each by its id. */
export function movedRows(rows: ReadonlySet<number>, before: unknown, now: unknown): ReadonlySet<number> {
  if (before === now) return rows;
  const old = rowsOf(before, 'rules');
  const indexes = ruleIndexes(rowsOf(now, 'rules'));
  return new Set([...rows].flatMap((row) => indexes.get(ruleIdOf(old[row] ?? {}, row)) ?? []));
}
