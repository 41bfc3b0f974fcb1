import { readdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import { isModelFile } from '../../sources/source.js';
import type { Candidates } from '../../sources/candidates.js';
import { readFiles } from '../../decisionFiles.js';
import { Refusal } from '../../failures.js';
import { printable } from '../../printable.js';
import type { Session } from '../../session.js';
import type { Hashes } from './state.js';

/** The models of a folder; none where it is empty, or not there. @throws Refusal where it is no folder */
export async function readModels(session: Session, folder: string): Promise<Candidates> {
  let names: string[];
  try {
    names = await readdir(resolve(session.directory, folder), { recursive: true });
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT')
      return { candidates: [], diagnostics: [] };
    throw new Refusal(`${printable(folder)} is no folder that can be read.`);
  }
  return names.some(isModelFile) ? readFiles(session, [folder]) : { candidates: [], diagnostics: [] };
}

export const hashesOf = ({ candidates }: Candidates): Hashes =>
  new Map(candidates.map(({ key, document }) => [key, document.hash]));
