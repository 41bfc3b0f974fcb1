import { readFileSync } from 'node:fs';
import { Problem } from '../../errors.js';

/** A file that the build makes, beside the compiled sources. Where it was not made the answer says so, and what to do. */
export function readBuiltFile(file: URL): Buffer {
  try {
    return readFileSync(file);
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
