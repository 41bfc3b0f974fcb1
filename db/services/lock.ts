import { linkSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isAlive, isMark, markOf, type ProcessMark } from '../../src/cli/processMark.js';
import { readJson, writePrivateJson } from '../../src/cli/privateJson.js';

/** The living process that owns a folder of services, if there is one. */
export function ownerOf(dir: string): ProcessMark | undefined {
  const owner = readJson(lockPath(dir));
  return isMark(owner) && isAlive(owner) ? owner : undefined;
}

/**
 * Makes this process the owner of `dir`; true when it is. A lock whose process is gone (kill -9) is taken over.
 * Two processes that try at once: one gets it.
 */
export function acquire(dir: string): boolean {
  const own = markOf(process.pid);
  const draft = join(dir, `owner.${process.pid}.draft`);
  writePrivateJson(draft, own);
  try {
    // A link is made whole or not at all, and not over an existing name.
    if (link(draft, lockPath(dir))) return true;
    if (ownerOf(dir) !== undefined) return false;
    discardStale(dir);
    return link(draft, lockPath(dir));
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Gives `dir` up; call it only as its owner. */
export function release(dir: string): void {
  rmSync(lockPath(dir), { force: true });
}

function discardStale(dir: string): void {
  const aside = join(dir, `owner.${process.pid}.stale`);
  try {
    renameSync(lockPath(dir), aside);
  } catch {
    return; // Another process was quicker.
  }
  const taken = readJson(aside);
  // Between the look and the rename another process may have put its own lock there: give it back.
  if (isMark(taken) && isAlive(taken)) link(aside, lockPath(dir));
  rmSync(aside, { force: true });
}

function link(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

function lockPath(dir: string): string {
  return join(dir, 'owner.json');
}
