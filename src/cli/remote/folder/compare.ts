import type { Decision } from '../../../decisions/routes/decisions.schema.js';
import { operations } from '../operations.js';
import type { Service } from '../service.js';
import { revisionOf } from '../import.js';
import type { Hashes } from './state.js';

/** A workspace as it was at a revision, or later. */
export interface Remote {
  readonly revision: number;
  /** Those that a folder can hold, by key: files of models end in `.json`. */
  readonly decisions: ReadonlyMap<string, Decision>;
  readonly hashes: Hashes;
}

export async function readRemote(service: Service): Promise<Remote> {
  // The revision first: what is written while the list is read then shows as a revision that has moved.
  const revision = await revisionOf(service);
  const all = await service.all(operations.listDecisions);
  const held = all.filter(({ key }) => key.endsWith('.json'));
  return {
    revision,
    decisions: new Map(held.map((decision) => [decision.key, decision])),
    hashes: new Map(held.map(({ key, contentHash }) => [key, contentHash])),
  };
}

export interface FolderChange {
  readonly key: string;
  /** Of the folder, seen from the workspace. */
  readonly change: 'added' | 'changed' | 'removed';
}

/** What the folder has otherwise than the workspace, by key. */
export function compare(local: Hashes, remote: Hashes): FolderChange[] {
  const keys = [...new Set([...local.keys(), ...remote.keys()])].sort();
  return keys
    .filter((key) => local.get(key) !== remote.get(key))
    .map((key) => ({ key, change: !remote.has(key) ? 'added' : !local.has(key) ? 'removed' : 'changed' }));
}

/** Keys that are different there from what was last seen there, and also different from what is here. */
export function changedByOthers(local: Hashes, remote: Hashes, seen: Hashes): string[] {
  const keys = new Set([...remote.keys(), ...seen.keys()]);
  return [...keys].filter((key) => remote.get(key) !== seen.get(key) && remote.get(key) !== local.get(key)).sort();
}
