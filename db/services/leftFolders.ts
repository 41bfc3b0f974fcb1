import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isAlive } from '../../src/cli/processMark.js';
import { isLeft } from './lock.js';
import { readState } from './state.js';

/**
 * Removes the temporary folders of services whose owner was killed together with its watchdog. A folder that names no
 * owner, or whose owner or servers live, is left alone; so is what cannot be removed, which is somebody else's.
 * @param base where they were made, as `verdict-…`
 */
export function removeLeftFolders(base: string): void {
  for (const name of readdirSync(base).filter((each) => each.startsWith('verdict-'))) {
    const dir = join(base, name);
    if (!isLeft(dir)) continue;
    const { mysql, redis } = readState(dir);
    if ([mysql?.mark, redis?.mark].some((mark) => mark !== undefined && isAlive(mark))) continue;
    try {
      rmSync(dir, { recursive: true, force: true });
    } catch {
      // Not ours.
    }
  }
}
