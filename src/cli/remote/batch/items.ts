import { isRecord } from '../../../../workers/json/index.js';
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { ItemFile } from './csvItems.js';

/** Items of a batch as lines of JSON, in the file's order; each has a key, its number in the file unless it brings one. */
export async function* readItems(file: ItemFile, from: number): AsyncGenerator<string> {
  let number = 0;
  for await (const line of await itemsOf(file)) {
    if (++number > from) yield withKey(line, number);
  }
}

export async function countItems(file: ItemFile): Promise<number> {
  let count = 0;
  const lines = await itemsOf(file);
  while ((await lines.next()).done !== true) count++;
  return count;
}

/** The reader of sheets is loaded where there is one. */
async function itemsOf(file: ItemFile): Promise<AsyncGenerator<string>> {
  if (!isCsv(file.path)) return linesOf(file.path);
  return (await import('./csvItems.js')).csvItems(file);
}

export const isCsv = (path: string): boolean => path.toLowerCase().endsWith('.csv');

async function* linesOf(path: string): AsyncGenerator<string> {
  yield* createInterface({ input: createReadStream(path), crlfDelay: Infinity });
}

/** Without touching the fact, whose numbers may have more digits than a double keeps. */
function withKey(line: string, number: number): string {
  const start = line.indexOf('{');
  if (start === -1 || keyOf(line) !== undefined) return line;
  const rest = line.slice(start + 1);
  const comma = rest.trimStart().startsWith('}') ? '' : ',';
  return `{"key":"${number}"${comma}${rest}`;
}

/** Null of a line that is no item, which the service is to say. */
function keyOf(line: string): unknown {
  try {
    const item = JSON.parse(line) as unknown;
    return isRecord(item) ? item['key'] : null;
  } catch {
    return null;
  }
}
