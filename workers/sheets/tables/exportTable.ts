import type { FileFormat, Row } from '../files/grid.js';
import { writeCsv } from '../files/csv.js';
import { hiddenSheet } from '../files/index.js';
import { writeXlsx, type WrittenColumn } from '../files/writeXlsx.js';
import { writeBase } from './base.js';
import { columnsOf, descriptionHead, idHead, keysOf, rulesOf, shownRow, type FoundTable } from './tableOfModel.js';

/** The name of the sheet with a table's rows. */
export const tableSheet = 'Rules';

/** A table as a file. Of an .xlsx the first column, hidden, has the rows' ids. */
export function exportTable(
  { content, node }: FoundTable,
  { decisionId, format }: { readonly decisionId: string; readonly format: FileFormat },
): Uint8Array {
  const columns = columnsOf(content);
  const rules = rulesOf(content);
  const head = [...columns.map((column) => column.head), descriptionHead];
  const rows: Row[] = rules.map((rule) => shownRow(rule, columns));
  if (format === 'csv') return writeCsv([head, ...rows]);
  const keys = keysOf(rules);
  const looks: WrittenColumn[] = [
    { width: 10, hidden: true, head: 'plain' },
    ...columns.map(({ kind, head: { length } }) => ({ width: Math.max(14, Math.min(40, length + 4)), head: kind })),
    { width: 30, head: 'plain' },
  ];
  return writeXlsx([
    {
      name: tableSheet,
      holds: 'sources',
      columns: looks,
      rows: [[idHead, ...head], ...rows.map((row, index) => [keys[index], ...row])],
    },
    {
      name: hiddenSheet,
      hidden: true,
      holds: 'sources',
      columns: [],
      rows: writeBase(content, { decisionId, nodeId: String(node['id']) }),
    },
  ]);
}
