import { readFile, readdir, stat } from 'node:fs/promises';
import { basename, join, relative, resolve, sep } from 'node:path';
import { isZip } from '../../../workers/sheets/index.js';
import { importLimits } from '../../decisions/limits.js';
import { isKitFile, withDmn, withKitTests } from './dmnFiles.js';
import { isModelFile, SourceError, type Source } from './source.js';
import { unzipModels } from './zip.js';

/**
 * Reads what the paths name: a file as it is, every `*.json` and `*.dmn` below a folder or in a zip. Links inside a
 * folder are not followed, so that nothing from elsewhere gets in.
 * @param directory where relative paths start
 * @param kit of a folder test files of DMN's compatibility kit too, which become tests of the documents that they name
 * @throws SourceError for what is not there, not readable, or beyond the limits
 */
export async function readSources(
  paths: readonly string[],
  directory: string,
  { kit = false } = {},
): Promise<Source[]> {
  const sources: Source[] = [];
  let total = 0;
  for (const path of paths) {
    for (const source of await readPath(path, resolve(directory, path), kit).catch((error: unknown) =>
      fail(path, error),
    )) {
      sources.push(source);
      total += source.bytes.length;
      if (sources.length > importLimits.files) throw new SourceError(`more than ${importLimits.files} models at once`);
      if (total > importLimits.totalBytes) throw new SourceError(`more than ${importLimits.totalBytes} bytes at once`);
    }
  }
  return withDmn(kit ? withKitTests(sources) : sources);
}

async function readPath(shown: string, path: string, kit: boolean): Promise<Source[]> {
  const found = await stat(path);
  if (found.isDirectory()) return readFolder(shown, path, kit);
  if (!found.isFile()) throw new SourceError(`${shown} is neither a file nor a folder`);
  if (found.size > importLimits.totalBytes)
    throw new SourceError(`${shown} is larger than ${importLimits.totalBytes} bytes`);
  const bytes = await readFile(path);
  return isZip(bytes) ? unzipModels(bytes, shown) : [{ path: shown, name: basename(path), bytes }];
}

async function readFolder(shown: string, path: string, kit: boolean): Promise<Source[]> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  const files = entries.filter(
    (entry) => entry.isFile() && (isModelFile(entry.name) || (kit && entry.name.endsWith('.xml'))),
  );
  if (files.length === 0) throw new SourceError(`${shown} has no .json or .dmn files in it`);
  if (files.length > importLimits.files) throw new SourceError(`${shown} has more than ${importLimits.files} models`);
  const names = files.map((file) => relative(path, join(file.parentPath, file.name))).sort();
  const sources: Source[] = [];
  let total = 0;
  for (const name of names) {
    total += (await stat(join(path, name))).size;
    if (total > importLimits.totalBytes)
      throw new SourceError(`${shown} holds more than ${importLimits.totalBytes} bytes`);
    const source = {
      path: join(shown, name),
      name: name.split(sep).join('/'),
      bytes: await readFile(join(path, name)),
    };
    if (isModelFile(name) || isKitFile(source)) sources.push(source);
  }
  return sources;
}

const reasons = new Map([
  ['ENOENT', 'is not there'],
  ['EACCES', 'may not be read'],
  ['EPERM', 'may not be read'],
  ['ENOTDIR', 'is not there'],
  ['ENAMETOOLONG', 'is too long a name'],
]);

function fail(path: string, error: unknown): never {
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') {
    throw new SourceError(`${path} ${reasons.get(error.code) ?? `cannot be read (${error.code})`}`);
  }
  throw error;
}
