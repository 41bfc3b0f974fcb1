import { readFileSync } from 'node:fs';
import { Problem } from '../../errors.js';

const kept = new Map<string, Buffer>();

/**
 * A file that the build makes, beside the compiled sources. It is read on first use and kept: all of them have some megabytes. Where it
 * was not made the answer says so, and what to do.
 */
export function readBuiltFile(file: URL): Buffer {
  const known = kept.get(file.href);
  if (known !== undefined) return known;
  try {
    const body = readFileSync(file);
    kept.set(file.href, body);
    return body;
  } catch (cause) {
    throw new Problem(
      'internal_error',
      'This page was not built. Stop the service, run `make build`, start it again.',
      {
        cause,
      },
    );
  }
}
