import { readFileSync } from 'node:fs';

/** The last lines of a log, for an error message; empty when there is none. */
export function tailOf(path: string, lines: number): string {
  try {
    return readFileSync(path, 'utf8').trimEnd().split('\n').slice(-lines).join('\n');
  } catch {
    return '';
  }
}
