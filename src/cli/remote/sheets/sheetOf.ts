import { readXlsx } from '../../../../workers/sheets/index.js';

/** What a batch's answered file says of each row. */
export function sheetOf(bytes: Uint8Array): { readonly statuses: readonly string[] } {
  const { sheet } = readXlsx(bytes, '', '');
  const [head = [], ...rows] = sheet.rows;
  const at = head.indexOf('status');
  return { statuses: at === -1 ? [] : rows.map((row) => row[at] ?? '') };
}
