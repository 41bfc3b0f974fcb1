import { accessSync, constants, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../db/root.js';

/** Where Debian, Ubuntu and others put a browser; undefined where there is none. */
export const browserPath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(
  isExecutable,
);

/** A file for a picture of a page, for people to look at. */
export function shotPath(name: string): string {
  const folder = join(projectRoot, '.test', 'shots');
  mkdirSync(folder, { recursive: true });
  return join(folder, name);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
