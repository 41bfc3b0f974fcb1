import { defaultLimits } from '../../workers/engine/limits.js';
import type {
  ConvertAnswer,
  ConvertTask,
  ExportAnswer,
  ImportedSheet,
  ImportSheetAnswer,
} from '../../workers/sheets/tasks.js';
import { workOnSheet } from '../../workers/sheets/work.js';
import { readXlsx } from '../../workers/sheets/files/readXlsx.js';
import type { Row } from '../../workers/sheets/files/grid.js';
import { writeXlsx } from '../../workers/sheets/files/writeXlsx.js';

export const xlsxType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
export const asXlsx = { 'Content-Type': xlsxType };
export const asCsv = { 'Content-Type': 'text/csv' };

/** The cells of a file's sheet, and of its hidden one. */
export interface Cells {
  readonly sheet: (string | undefined)[][];
  readonly hidden: (string | undefined)[][];
}

export function cellsOf(bytes: Uint8Array): Cells {
  const { sheet, hidden } = readXlsx(bytes, 'Rules', 'verdict');
  const copied = (rows: readonly Row[] = []): (string | undefined)[][] => rows.map((row) => [...row]);
  return { sheet: copied(sheet.rows), hidden: copied(hidden?.rows) };
}

/** The file with other cells, as a program that keeps hidden sheets would write it. */
export const fileOf = ({ sheet, hidden }: Cells, name = 'Rules'): Uint8Array => {
  const holds = hidden.length === 0 ? 'values' : 'sources';
  return writeXlsx([
    { name, holds, columns: [], rows: sheet },
    ...(hidden.length === 0
      ? []
      : [{ name: 'verdict', hidden: true as const, holds, columns: [], rows: hidden } as const]),
  ]);
};

/** A file of one plain sheet. */
export const plainFile = (rows: readonly Row[], name = 'Sheet1'): Uint8Array =>
  fileOf({ sheet: rows.map((row) => Array.from(row)), hidden: [] }, name);

const limits = { limits: defaultLimits, timeLimitMs: 10_000 };
/** The decision that tables are exported of. */
const decisionId = 'made-of';

/** A model's table as a file. @param text the model, JSON */
export function exportedTable(text: string, nodeId: string, format: 'xlsx' | 'csv' = 'xlsx'): Uint8Array {
  const part = { kind: 'table', nodeId, decisionId } as const;
  const answer = workOnSheet({ kind: 'exportSheet', text, part, format }, limits) as ExportAnswer;
  return answer.bytes!;
}

/** The model with a file brought into its table. @param of another decision than the file is made of, when given */
export function withTable(
  text: string,
  nodeId: string,
  { bytes, format = 'xlsx', of = decisionId }: { bytes: Uint8Array; format?: 'xlsx' | 'csv'; of?: string },
): ImportedSheet & { readonly model: string } {
  const part = { kind: 'table', nodeId, decisionId: of } as const;
  const { imported } = workOnSheet({ kind: 'importSheet', text, part, format, bytes }, limits) as ImportSheetAnswer;
  return { ...imported!, model: Buffer.from(imported!.document.text).toString() };
}

/** What comes of the rows of a plain .csv that is to become a model. */
export function convertCsv(
  rows: readonly string[],
  asked: Partial<Pick<ConvertTask, 'inputs' | 'outputs' | 'ranges' | 'matrix' | 'empty' | 'columns'>> = {},
): ConvertAnswer {
  const bytes = Buffer.from(rows.join('\n'));
  const task = { kind: 'convertSheet', bytes, format: 'csv', inputs: null, outputs: null, ...asked } as const;
  return workOnSheet(task, limits) as ConvertAnswer;
}

/** A plain .csv that becomes a model: the model, its columns' names, and what is told of it. */
export function convertedSheet(
  csv: string,
  inputs: string[] | null = null,
  outputs: string[] | null = null,
): ConvertAnswer & {
  readonly content: unknown;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
} {
  const answer = convertCsv([csv], { inputs, outputs });
  return { ...answer, ...(JSON.parse(answer.converted) as { content: unknown; inputs: string[]; outputs: string[] }) };
}

/** The model with its tests brought out and in again. */
export function withOwnTests(text: string, format: 'xlsx' | 'csv'): string {
  const part = { kind: 'tests' } as const;
  const { bytes } = workOnSheet({ kind: 'exportSheet', text, part, format }, limits) as ExportAnswer;
  const task = { kind: 'importSheet', text, part, format, bytes: bytes! } as const;
  return Buffer.from((workOnSheet(task, limits) as ImportSheetAnswer).imported!.document.text).toString();
}
