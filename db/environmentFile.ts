import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { readJson, writePrivateJson } from '../src/cli/privateJson.js';
import { isMark } from '../src/cli/processMark.js';
import { isAlive, markOf, type ProcessMark } from '../src/cli/processMark.js';

/**
 * Writes the variables into `env.json`, where the command line finds what to work on, with this process's mark. The file
 * of another living run stays as it is, since the command line works beside that one already: its owner is returned then.
 */
export function keepVariables(dir: string, variables: Readonly<Record<string, string>>): ProcessMark | undefined {
  const owner = ownerOfFile(dir);
  if (owner !== undefined && owner.pid !== process.pid) return owner;
  writePrivateJson(pathIn(dir), { ...variables, owner: markOf(process.pid) });
  return undefined;
}

/** Takes back what `keepVariables` wrote: with the run ended, a command must not work on its database by default. */
export function removeVariables(dir: string): void {
  if (ownerOfFile(dir)?.pid === process.pid) rmSync(pathIn(dir), { force: true });
}

/** Undefined: there is no such file, or its process is gone. */
function ownerOfFile(dir: string): ProcessMark | undefined {
  const value = readJson(pathIn(dir));
  if (typeof value !== 'object' || value === null || !('owner' in value)) return undefined;
  return isMark(value.owner) && isAlive(value.owner) ? value.owner : undefined;
}

function pathIn(dir: string): string {
  return join(dir, 'env.json');
}
