import { isRecord } from '../../../../workers/json/index.js';
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { csvItems, type ItemFile } from './csvItems.js';

/** Items of a batch as lines of JSON, in the file's order; each has a key, its number in the file unless it brings one. */
export async function* readItems(file: ItemFile, from: number): AsyncGenerator<string> {
  let number = 0;
  for await (const line of isCsv(file.path) ? csvItems(file) : linesOf(file.path)) {
    if (++number > from) yield withKey(line, number);
  }
}

export async function countItems(file: ItemFile): Promise<number> {
  let count = 0;
  const lines = isCsv(file.path) ? csvItems(file) : linesOf(file.path);
  while ((await lines.next()).done !== true) count++;
  return count;
}

const isCsv = (path: string): boolean => path.toLowerCase().endsWith('.csv');

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
