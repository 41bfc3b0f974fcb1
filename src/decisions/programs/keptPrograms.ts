import type { Knex } from 'knex';
import { LRUCache } from 'lru-cache';
import { keepProgram } from './keptPrograms.store.js';

/** For so long a process takes a program for kept that it has kept; `used_at` is never older than that while it is used. */
export const keptForMs = 60 * 60 * 1000;
const maxKnown = 50_000;

/** Keeps programs of working copies for as long as records name them. */
export interface KeptPrograms {
  /** Undefined when it is kept already. Rejects when MySQL can't take it. */
  keep(workspaceId: string, programId: string, manifest: () => string | undefined): Promise<void> | undefined;
}

interface Keeping {
  readonly workspaceId: string;
  readonly programId: string;
  readonly manifest: string;
}

export function createKeptPrograms(database: Knex): KeptPrograms {
  const kept = new LRUCache<string, true, Keeping>({
    max: maxKnown,
    ttl: keptForMs,
    fetchMethod: async (_key, _stale, { context: { workspaceId, ...program } }) => {
      await keepProgram(database, workspaceId, program);
      return true as const;
    },
    ignoreFetchAbort: true,
  });
  return {
    keep(workspaceId, programId, readManifest) {
      const key = `${workspaceId}/${programId}`;
      if (kept.get(key) === true) return undefined;
      const manifest = readManifest();
      if (manifest === undefined) throw new Error(`the manifest of program ${programId} is gone`);
      return kept.fetch(key, { context: { workspaceId, programId, manifest } }).then(() => undefined);
    },
  };
}
