import { emptyNames, rangeNames } from '../../../workers/cells/sheets.js';
import type { Refusal, TableFile } from '../../../workers/models/index.js';
import { Problem } from '../../errors.js';
import { broken } from '../../http/body/violations.js';
import type { FileBody } from '../../http/body/fileBody.js';

/** The formats that spreadsheets have here. */
export const bothFormats = ['xlsx', 'csv'] as const;

export function requireFile(file: FileBody | null): FileBody {
  if (file === null) throw new Error('an operation without its file');
  return file;
}

/** Where in a file a table is, as it is asked for: its sheet, and the row that has its names; and in which form. */
export interface PlaceQuery {
  readonly header?: string;
  readonly sheet?: string;
  readonly range?: string;
  readonly matrix?: string;
  readonly empty?: string;
  readonly columns?: string;
  readonly prefer?: 'file' | 'table';
}

export function placeOf({
  header,
  sheet,
  range,
  matrix,
  empty,
  columns,
  prefer,
}: PlaceQuery): Omit<TableFile, 'bytes' | 'format'> {
  const [down = '', across = '', value = ''] = matrix?.split(',').map((name) => name.trim()) ?? [];
  return {
    ...(header === undefined ? {} : rowsIn(header)),
    ...(sheet === undefined ? {} : { sheet }),
    ...(range === undefined ? {} : { ranges: rangeNames(range) }),
    ...(matrix === undefined ? {} : { matrix: [down, across, value] }),
    ...(columns === undefined ? {} : { columns }),
    ...(prefer === undefined ? {} : { prefer }),
    ...(empty === undefined ? {} : { empty: emptyNames(empty) }),
  };
}

/** `3`, or `1-2`. */
function rowsIn(header: string): Pick<TableFile, 'header' | 'headerEnd'> {
  const [first, last] = header.split('-').map(Number);
  return { ...(first === undefined ? {} : { header: first }), ...(last === undefined ? {} : { headerEnd: last }) };
}

/** Throws what a file is refused with: `body_too_large` beyond a limit, else `validation_failed`. */
export function requireRead(refusal: Refusal | null): void {
  if (refusal === null) return;
  if (refusal.kind === 'large') throw new Problem('body_too_large', refusal.message);
  throw broken([{ in: 'body', pointer: '', message: refusal.message }]);
}
