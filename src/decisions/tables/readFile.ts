import type { Refusal } from '../../../workers/models/index.js';
import { Problem } from '../../errors.js';
import { broken } from '../../http/body/violations.js';
import type { FileBody } from '../../http/body/fileBody.js';

/** The formats that spreadsheets have here. */
export const bothFormats = ['xlsx', 'csv'] as const;

export function requireFile(file: FileBody | null): FileBody {
  if (file === null) throw new Error('an operation without its file');
  return file;
}

/** The row of a table's file that has its names, as it is asked for. */
export const headerOf = (header: string | undefined): { readonly header?: number } =>
  header === undefined ? {} : { header: Number(header) };

/** Throws what a file is refused with: `body_too_large` beyond a limit, else `validation_failed`. */
export function requireRead(refusal: Refusal | null): void {
  if (refusal === null) return;
  if (refusal.kind === 'large') throw new Problem('body_too_large', refusal.message);
  throw broken([{ in: 'body', pointer: '', message: refusal.message }]);
}
