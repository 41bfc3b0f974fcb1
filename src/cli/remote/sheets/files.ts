import { readFile, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { fileTypes, type FileFormat } from '../../../http/body/fileTypes.js';
import { Refusal, UsageError } from '../../failures.js';
import type { Session } from '../../session.js';

/** By the name's end. @throws UsageError for another */
export function formatOf(path: string): FileFormat {
  const [, end = ''] = /\.(\w+)$/.exec(path.toLowerCase()) ?? [];
  if (end === 'xlsx' || end === 'csv') return end;
  throw new UsageError(`${path} is neither .xlsx nor .csv.`);
}

/** The header that says what is sent. */
export const typeOf = (path: string): Record<string, string> => ({ 'Content-Type': fileTypes[formatOf(path)] });

export const readFileAt = ({ directory }: Session, path: string): Promise<Buffer> =>
  readFile(resolve(directory, path)).catch((error: unknown) => {
    throw new Refusal(`${path} cannot be read (${codeOf(error)}).`);
  });

export const writeFileAt = ({ directory }: Session, path: string, bytes: Uint8Array): Promise<void> =>
  writeFile(resolve(directory, path), bytes).catch((error: unknown) => {
    throw new Refusal(`${path} cannot be written (${codeOf(error)}).`);
  });

const codeOf = (error: unknown): string => String((error as { code?: unknown }).code);
