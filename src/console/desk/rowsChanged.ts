import { isSame } from '../api/exactJson.js';
import type { Model, RowDifference, ToldDifferences } from '../api/types.js';
import { sheetOf } from '../editor/sheet.js';
import { membersOf, ruleIdOf, textOf, type Fields } from '../graph/fields.js';

/** How one model differs from another, of which the service has but one: its cells, and nodes that came, went or are otherwise. */
export function differencesOf(old: Model, young: Model): ToldDifferences {
  const before = new Map(old.nodes.map((node) => [node.id, node]));
  const after = new Map(young.nodes.map((node) => [node.id, node]));
  const nodes = [...new Set([...before.keys(), ...after.keys()])].flatMap((id): ToldDifferences['nodes'] => {
    const [was, is] = [before.get(id), after.get(id)];
    if (was === undefined || is === undefined)
      return [{ id, change: was === undefined ? 'added' : 'removed', fields: [] }];
    const differing = (['name', 'content'] as const).filter((field) => !isSame(was[field], is[field]));
    const isOfRows = sheetOf(is.type, membersOf(is.content)) !== undefined;
    const fields = differing
      .filter((field) => field !== 'content' || !isOfRows)
      .map((field) => ({ pointer: `/${field}`, before: was[field], after: is[field] }));
    return fields.length === 0 ? [] : [{ id, change: 'changed', fields }];
  });
  const rows = young.nodes.flatMap((node) =>
    rowsChanged(node.id, rowsIn(before.get(node.id)?.content, node.type), rowsIn(node.content, node.type)),
  );
  return { nodes, edges: [], rows };
}

const rowsIn = (content: unknown, type: string): readonly Fields[] => sheetOf(type, membersOf(content))?.rows ?? [];

function rowsChanged(nodeId: string, old: readonly Fields[], young: readonly Fields[]): readonly RowDifference[] {
  const places = (rows: readonly Fields[]) => new Map(rows.map((row, at) => [ruleIdOf(row, at), at]));
  const [was, is] = [places(old), places(young)];
  return [...new Set([...was.keys(), ...is.keys()])].flatMap((ruleId): RowDifference[] => {
    const [from, to] = [was.get(ruleId) ?? null, is.get(ruleId) ?? null];
    const [before, after] = [old[from ?? -1] ?? {}, young[to ?? -1] ?? {}];
    const cells = [...new Set([...Object.keys(before), ...Object.keys(after)])]
      .filter((column) => column !== '_id' && column !== 'id' && textOf(before[column]) !== textOf(after[column]))
      .map((column) => ({ column, before: textOf(before[column]), after: textOf(after[column]) }));
    const change = from === null ? 'added' : to === null ? 'removed' : 'changed';
    return cells.length === 0 ? [] : [{ nodeId, ruleId, change, position: { from, to }, cells }];
  });
}
