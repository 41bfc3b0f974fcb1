import type { Knex } from 'knex';
import { LRUCache } from 'lru-cache';
import { keepProgram } from './keptPrograms.store.js';
import { createSingleFlight } from './singleFlight.js';

/** For so long a process takes a program for kept that it has kept; `used_at` is never older than that while it is used. */
export const keptForMs = 60 * 60 * 1000;
const maxKnown = 50_000;

/** Keeps programs of working copies for as long as records name them. */
export interface KeptPrograms {
  /** Undefined when it is kept already. Rejects when MySQL can't take it. */
  keep(workspaceId: string, programId: string, manifest: () => string | undefined): Promise<void> | undefined;
}

export function createKeptPrograms(database: Knex): KeptPrograms {
  const kept = new LRUCache<string, true>({ max: maxKnown, ttl: keptForMs });
  const share = createSingleFlight();
  return {
    keep(workspaceId, programId, manifest) {
      const key = `${workspaceId}/${programId}`;
      if (kept.get(key) === true) return undefined;
      const text = manifest();
      if (text === undefined) throw new Error(`the manifest of program ${programId} is gone`);
      return share(key, async () => {
        await keepProgram(database, workspaceId, { programId, manifest: text });
        kept.set(key, true);
      });
    },
  };
}
