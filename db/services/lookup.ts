import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Where servers live although a user's PATH often lacks it. */
const serverDirectories = [
  '/usr/sbin',
  '/usr/local/sbin',
  '/usr/local/bin',
  '/usr/bin',
  '/usr/libexec',
  '/usr/local/mysql/bin',
  '/opt/homebrew/bin',
  '/opt/homebrew/opt/mariadb/bin',
  '/opt/homebrew/opt/mysql/bin',
];

/** The folders to look in: those of PATH first, then the usual ones of servers, each once. */
export function searchPath(path: string | undefined): readonly string[] {
  const fromPath = (path ?? '').split(delimiter).filter((folder) => folder !== '');
  return [...new Set([...fromPath, ...serverDirectories])];
}

/** The full path of the first of `names` that is an executable file in `folders`; an earlier name wins over an earlier folder. */
export function findBinary(names: readonly string[], folders: readonly string[]): string | undefined {
  for (const name of names) {
    const found = folders.map((folder) => join(folder, name)).find(isExecutable);
    if (found !== undefined) return found;
  }
  return undefined;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
