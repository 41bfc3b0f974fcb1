import { isRecord } from '../../../../workers/json/index.js';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readJson, writePrivateJson } from '../../privateJson.js';

/** The content hash of each decision, by key. */
export type Hashes = ReadonlyMap<string, string>;

/** Not a model's name, since models end in `.json`. */
const stateName = '.verdict';

/** Whether the folder and some workspace ever met. */
export const isMet = (folder: string): boolean => existsSync(join(folder, stateName));

/**
 * What a folder and a workspace had in common when they last met, by pull or push. It tells what was changed here from
 * what others have changed there. It is of one checkout, so it does not belong into version control.
 * @returns undefined where they never met
 */
export function readState(folder: string, workspaceId: string): Hashes | undefined {
  const hashes = workspacesIn(folder)[workspaceId];
  return isRecord(hashes)
    ? new Map(Object.entries(hashes).filter((entry): entry is [string, string] => typeof entry[1] === 'string'))
    : undefined;
}

export function writeState(folder: string, workspaceId: string, hashes: Hashes): void {
  const workspaces = { ...workspacesIn(folder), [workspaceId]: Object.fromEntries(hashes) };
  writePrivateJson(join(folder, stateName), { workspaces });
}

function workspacesIn(folder: string): Readonly<Record<string, unknown>> {
  const value = readJson(join(folder, stateName));
  return isRecord(value) && isRecord(value['workspaces']) ? value['workspaces'] : {};
}
