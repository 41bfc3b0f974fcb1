import { readFileSync, renameSync, writeFileSync } from 'node:fs';

/** Writes JSON that only its owner may read, in one step: a reader sees the old text or the new one. */
export function writePrivateJson(path: string, value: unknown): void {
  const draft = `${path}.${process.pid}.new`;
  writeFileSync(draft, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
  renameSync(draft, path);
}

/** The parsed JSON of a file; undefined when the file is missing or not JSON. */
export function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as unknown;
  } catch {
    return undefined;
  }
}
