import { pointerStep, recordsIn } from '../../json/index.js';
import { aloneAtLast, columnOf, type CellColumn, type CellFault } from '../../cells/index.js';
import { tableIn } from '../nodes/table.js';
import { inputLocation, outputLocation, type Table } from '../nodes/table/content.js';
import { faultIn } from '../zen/cellFault.js';
import { conditionFault } from '../zen/conditionFault.js';
import { treeOf } from '../zen/usage.js';
import { locationOf, type Content, type ModelNode } from './model.js';
import type { Report } from './reader.js';

// Warnings of cells of tables that a person means otherwise than ZEN reads them, or that are no cells of their columns.

export interface TableColumn {
  readonly id: string;
  readonly column: CellColumn;
  /** Cells are whole conditions, for the column has no field. */
  readonly isCondition: boolean;
  readonly sources: readonly string[];
  readonly location: (row: number) => { readonly field: string; readonly label: string };
}

/** The columns of a table whose cells do something; none of any other node. */
export function tableColumns({ type, content }: Pick<ModelNode, 'type' | 'content'>): readonly TableColumn[] {
  if (type !== 'decisionTableNode') return [];
  const table = tableIn(content);
  const cellsAt = (row: number, columns: readonly { readonly id: string }[]): (string | undefined)[] =>
    columns.map(({ id }) => table.rules[row]?.get(id));
  const alone = aloneAtLast({
    asked: (row) => cellsAt(row, table.inputs),
    given: (row) => cellsAt(row, table.outputs),
    count: table.rules.length,
  });
  return [
    ...table.inputs.map(({ id, field }, at) => ({
      ...cellsOf(table, id, recordsIn(content['inputs']), true, at === alone?.at ? alone.cell : undefined),
      isCondition: field === '',
      location: (row: number) => inputLocation(table, row, at),
    })),
    ...table.outputs
      .map(({ id, path }, at) => ({
        ...cellsOf(table, id, recordsIn(content['outputs']), false),
        path,
        isCondition: false,
        location: (row: number) => outputLocation(table, row, at),
      }))
      .filter(({ path }) => path !== ''),
  ];
}

function cellsOf({ rules }: Table, id: string, items: readonly Content[], isTest: boolean, alone?: string) {
  const sources = rules.map((rule) => rule.get(id) ?? '');
  return {
    id,
    sources,
    column: columnOf(items.find((item) => item['id'] === id) ?? {}, isTest, sources, alone),
  };
}

/**
 * Warns of such cells of a table. Gives the pointers of those that it told of.
 * @param knows whether a name that begins a path is one of the data
 */
export function checkCells(
  node: ModelNode,
  columns: readonly TableColumn[],
  knows: (name: string) => boolean,
  report: Report,
): ReadonlySet<string> {
  const told = new Set<string>();
  const { pointer: nodePointer = '', ...location } = locationOf(node);
  for (const { id, column, isCondition, sources, location: locationIn } of columns) {
    const faults = new Map<string, CellFault | undefined>();
    for (const [row, source] of sources.entries()) {
      if (source === '' || isCondition) continue;
      if (!faults.has(source)) faults.set(source, faultIn(source, column, knows));
      const fault = faults.get(source);
      if (fault === undefined) continue;
      const pointer = `${nodePointer}/content/rules/${row}${pointerStep(id)}`;
      told.add(pointer);
      const { message, hint } = fault;
      report({
        code: 'type_error',
        severity: 'warning',
        message,
        hint,
        ...location,
        ...locationIn(row),
        pointer,
        source,
      });
    }
  }
  return told;
}

/**
 * As `checkCells`, of whole conditions: those of a switch, and of columns without a field. Each is read in several ways, and a
 * node may have thousands.
 * @param isLate asked before each; nothing is told once it says so
 */
export function checkConditions(
  node: ModelNode,
  knows: (name: string) => boolean,
  { report, isLate }: { readonly report: Report; readonly isLate: () => boolean },
): ReadonlySet<string> {
  const told = new Set<string>();
  const { pointer: nodePointer = '', ...location } = locationOf(node);
  const faults = new Map<string, ReturnType<typeof conditionFault>>();
  for (const { source, kind, statement, field, label, pointer: within } of node.parsed.expressions()) {
    if (kind !== 'condition' && statement === undefined) continue;
    if (!faults.has(source)) {
      if (isLate()) break;
      faults.set(source, (kind === 'condition' ? withoutField(source) : undefined) ?? conditionFault(source, knows));
    }
    const fault = faults.get(source);
    if (fault === undefined) continue;
    const { message, hint, readings } = fault;
    const [repair, ...others] = readings;
    const pointer = nodePointer + within;
    told.add(pointer);
    report({
      code: 'type_error',
      severity: 'warning',
      message,
      hint,
      ...(others.length > 0 ? { readings } : repair === undefined ? {} : { repair }),
      ...location,
      field,
      label,
      pointer,
      source,
    });
  }
  return told;
}

/** A value is no condition, but the author of the column has seen a field in it. */
function withoutField(source: string): ReturnType<typeof conditionFault> {
  const bare = source.replaceAll(/"[^"]*"|'[^']*'/g, '');
  if (/[\p{L}$<>=!]/u.test(bare) || treeOf(source, 'standard') === undefined) return undefined;
  const message = 'This is a value, and its column has no field that it could test.';
  const hint = 'The rule never matches: give the column a field, or write a condition.';
  return { message, hint, readings: [] };
}
