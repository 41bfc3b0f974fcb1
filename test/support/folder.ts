import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const newPath = (): string => join(tmpdir(), `verdict-${randomUUID()}`);
const remove = (path: string): Promise<void> => rm(path, { recursive: true, force: true });

/** A folder of a `describe`, which is gone after it. */
export function useFolder(): string {
  const path = newPath();
  before(() => mkdir(path));
  after(() => remove(path));
  return path;
}

/** The same, empty before each of its tests. */
export function useFreshFolder(): string {
  const path = newPath();
  beforeEach(() => mkdir(path));
  afterEach(() => remove(path));
  return path;
}
