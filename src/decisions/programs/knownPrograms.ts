import { LRUCache } from 'lru-cache';

/** A program and its manifest (JSON). */
export interface LoadedProgram {
  /** SHA-256 (hex) of the manifest. */
  readonly programId: string;
  readonly manifest: string;
}

export type KnownProgram = Pick<LoadedProgram, 'programId'>;

export interface KnownPrograms {
  /** Synchronous while cached. Renews the manifest in its cache. */
  get(key: string): KnownProgram | Promise<KnownProgram>;
  /** The manifest of a program that `get` gave a moment ago. */
  manifestOf(programId: string): string | undefined;
}

const maxKnown = 50_000;
/** UTF-16 units of all manifests together. */
const maxManifests = 64 * 1024 * 1024;

/** @param load what a key names, which never changes */
export function createKnownPrograms(load: (key: string) => Promise<LoadedProgram>): KnownPrograms {
  const manifests = new LRUCache<string, string>({ maxSize: maxManifests, sizeCalculation: (text) => text.length });
  const known = new LRUCache<string, KnownProgram>({
    max: maxKnown,
    async fetchMethod(key) {
      const { programId, manifest } = await load(key);
      manifests.set(programId, manifest);
      return { programId };
    },
    ignoreFetchAbort: true,
  });
  return {
    get(key) {
      const found = known.get(key);
      // Reading the manifest marks it as recently used, because `bundle` may follow.
      if (found !== undefined && manifests.get(found.programId) !== undefined) return found;
      return known.forceFetch(key, { forceRefresh: true });
    },
    manifestOf: (programId) => manifests.get(programId),
  };
}
