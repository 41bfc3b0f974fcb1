import { LRUCache } from 'lru-cache';

/** The program of a decision's version. */
export interface KnownProgram {
  /** SHA-256 (hex) of the manifest. */
  readonly programId: string;
  /** The workspace's revision at which a working copy was resolved; Infinity for versions, which never change. */
  readonly revision: number;
}

export interface KnownPrograms {
  /** Undefined unless something as new as the revision is cached. Renews the manifest in its cache. */
  get(key: string, revision: number): KnownProgram | undefined;
  keep(key: string, program: KnownProgram, manifest: string): KnownProgram;
  /** The manifest (JSON) of a program that `get` or `keep` gave a moment ago. */
  manifestOf(programId: string): string | undefined;
}

const maxKnown = 50_000;
/** UTF-16 units of all manifests together. */
const maxManifests = 64 * 1024 * 1024;

export function createKnownPrograms(): KnownPrograms {
  const known = new LRUCache<string, KnownProgram>({ max: maxKnown });
  const manifests = new LRUCache<string, string>({ maxSize: maxManifests, sizeCalculation: (text) => text.length });
  return {
    get(key, revision) {
      const found = known.get(key);
      if (found === undefined || found.revision < revision) return undefined;
      // Reading the manifest marks it as recently used, because `bundle` may follow.
      return manifests.get(found.programId) === undefined ? undefined : found;
    },
    keep(key, program, manifest) {
      manifests.set(program.programId, manifest);
      known.set(key, program);
      return program;
    },
    manifestOf: (programId) => manifests.get(programId),
  };
}
