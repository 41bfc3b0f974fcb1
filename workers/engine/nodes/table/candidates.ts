import type { Footprint } from '../../footprint.js';
import type { Value } from '../../values.js';
import { analyseUnary, type UnaryShape } from '../../zen/index.js';
import { indexColumn, type ColumnIndex } from './column-index.js';
import type { Table } from './content.js';
import type { Matching } from './rows.js';
import { common, eachRow, type RowCursor, type RowSet } from './rowset.js';

/** Rows that may match, in ascending order: all that do are among them. */
export type RowSource = (matching: Matching) => RowCursor;

/** Tables with fewer rows are as fast without an index. */
const fewestRows = 16;

const any: UnaryShape = { kind: 'any' };

/** Whether `$` is read outside of unary cells. It is the value tested last, so that skipping rows would change it. */
function readsReference({ inputs, outputs, rules }: Table): boolean {
  const reads = (source = '') => source.includes('$') && /\$(?![\w{])/.test(source);
  if (inputs.some(({ field }) => reads(field))) return true;
  const free = [...outputs, ...inputs.filter(({ field }) => field === '')];
  return rules.some((rule) => free.some(({ id }) => reads(rule.get(id))));
}

/**
 * Where to look for matching rows: all of them, or those that the indexed columns do not exclude.
 * @throws EngineError `limit_program` when the program has no room for the indexes
 */
export function candidatesOf(table: Table, footprint: Footprint): RowSource {
  const { inputs, rules } = table;
  if (readsReference(table)) return () => eachRow(rules.length);
  const shapes = new Map<string, UnaryShape>();
  const shapeOf = (source: string | undefined): UnaryShape => {
    if (source === undefined || source === '') return any;
    const shape = shapes.get(source) ?? analyseUnary(source);
    shapes.set(source, shape);
    return shape;
  };
  const shapesOf = (column: number): readonly UnaryShape[] => {
    const { id = '', field = '' } = inputs[column] ?? {};
    return field === '' ? [] : rules.map((rule) => shapeOf(rule.get(id)));
  };
  const rowsFor = indexedRows({ columns: inputs.length, rows: rules.length, shapesOf }, footprint);
  return (matching) => rowsFor((column) => matching.field(column));
}

/** What an index is made of: the shapes of a column's cells, none where the column cannot be indexed. */
interface Indexed {
  readonly columns: number;
  readonly rows: number;
  readonly shapesOf: (column: number) => readonly UnaryShape[];
}

/**
 * Rows that may match, by the values of the columns: an index judges none that is undefined.
 * @throws EngineError `limit_program` when the program has no room for the indexes
 */
export function indexedRows({ columns, rows, shapesOf }: Indexed, footprint: Footprint) {
  const indexed: { column: number; index: ColumnIndex }[] = [];
  for (let column = 0; column < columns && rows >= fewestRows; column++) {
    const index = indexColumn(shapesOf(column));
    if (index === undefined) continue;
    footprint.add(index.bytes);
    indexed.push({ column, index });
  }
  return (valueOf: (column: number) => Value | undefined): RowCursor => {
    const sets: RowSet[] = [];
    for (const { column, index } of indexed) {
      const set = index.rowsFor(valueOf(column));
      if (set !== undefined) sets.push(set);
    }
    return sets.length === 0 ? eachRow(rows) : common(sets);
  };
}
