import type { Knex } from 'knex';
import { LRUCache } from 'lru-cache';
import type { Bundle, Manifest } from '../../workers/protocol.js';
import { subDecisionKeys } from '../../workers/engine/index.js';
import { Problem } from '../errors.js';
import { createFreshCache } from '../storage/freshCache.js';
import { readContents } from './contents.store.js';
import type { Directory } from './directory.js';
import { findDecision, readRevision } from './decisions.store.js';
import { reachOf, type NamesOf } from './manifest.js';
import { findManifest } from './versions.store.js';
import { readDirectory } from './write.js';

export interface ProgramRef {
  /** SHA-256 (hex) of the manifest. */
  readonly programId: string;
}

/** From a decision's version to what a worker compiles. */
export interface Programs {
  /**
   * The program of a saved version, or for version 0 of the working copy, at most `maxAgeMs` old. Synchronous while
   * cached. Throws or rejects with `decision_not_found` or `version_not_found`.
   */
  programOf(workspaceId: string, decisionId: string, version: number): ProgramRef | Promise<ProgramRef>;
  /** `Bundle` as JSON text, of a program that `programOf` gave. */
  bundle(programId: string): Promise<string>;
}

interface Known extends ProgramRef {
  /** Of the workspace when a working copy was resolved; Infinity for versions, which never change. */
  readonly revision: number;
}

const mebibyte = 1024 * 1024;
const maxKnown = 50_000;
const maxManifestBytes = 64 * mebibyte;
const maxBundleBytes = 128 * mebibyte;
const maxNames = 50_000;
/** Decisions in all workspaces together whose keys and hashes are kept. */
const maxDirectoryEntries = 200_000;

/** @param maxAgeMs oldest working copy that may be used, counted from the start of its read */
export function createPrograms({ database, maxAgeMs = 900 }: { database: Knex; maxAgeMs?: number }): Programs {
  const known = new LRUCache<string, Known>({ max: maxKnown });
  const manifests = new LRUCache<string, string>({ maxSize: maxManifestBytes, sizeCalculation: (text) => text.length });
  const bundles = new LRUCache<string, string>({ maxSize: maxBundleBytes, sizeCalculation: (text) => text.length });
  const directories = new LRUCache<string, { revision: number; directory: Directory }>({
    maxSize: maxDirectoryEntries,
    sizeCalculation: ({ directory }) => directory.entries.length + 1,
  });
  const share = createShare();
  const namesOf = createNames(database);
  const revisions = createFreshCache<{ revision: number }>({
    max: maxKnown,
    maxAgeMs,
    refreshAfterMs: maxAgeMs / 2,
    async load(workspaceId) {
      const revision = await readRevision(database, workspaceId);
      return revision === undefined ? undefined : { revision };
    },
  });

  const usable = (key: string, revision: number): Known | undefined => {
    const found = known.get(key);
    if (found === undefined || found.revision < revision) return undefined;
    // Touching the manifest keeps it at hand for the `bundle` that may follow.
    return manifests.get(found.programId) === undefined ? undefined : found;
  };
  const keep = (key: string, { programId, manifest }: { programId: string; manifest: string }, revision: number) => {
    manifests.set(programId, manifest);
    const ref: Known = { programId, revision };
    known.set(key, ref);
    return ref;
  };

  async function loadVersion(key: string, workspaceId: string, decisionId: string, version: number): Promise<Known> {
    const found = await findManifest(database, workspaceId, decisionId, version);
    if (found !== undefined) return keep(key, found, Infinity);
    if ((await findDecision(database, workspaceId, decisionId)) === undefined) throw noDecision(decisionId);
    throw new Problem('version_not_found', `Decision ${decisionId} has no version ${version}.`);
  }

  async function loadWorkingCopy(key: string, workspaceId: string, decisionId: string): Promise<Known> {
    const current = await revisions.read(workspaceId);
    if (current === undefined) throw noDecision(decisionId);
    const found = usable(key, current.revision);
    if (found !== undefined) return found;
    const { revision, directory } = await directoryOf(workspaceId, current.revision);
    const root = directory.find(decisionId);
    if (root === undefined) throw noDecision(decisionId);
    // Sub-decisions that are not there stay out of the manifest: the run says so where it meets one.
    return keep(key, await reachOf(root, directory, namesOf), revision);
  }

  async function directoryOf(
    workspaceId: string,
    revision: number,
  ): Promise<{ revision: number; directory: Directory }> {
    const found = directories.get(workspaceId);
    if (found !== undefined && found.revision >= revision) return found;
    return share(`directory/${workspaceId}/${revision}`, async () => {
      const read = await readDirectory(database, workspaceId);
      directories.set(workspaceId, read);
      return read;
    });
  }

  return {
    programOf(workspaceId, decisionId, version) {
      const key = `${workspaceId}/${decisionId}/${version}`;
      if (version > 0) {
        return usable(key, 0) ?? share(key, () => loadVersion(key, workspaceId, decisionId, version));
      }
      const current = revisions.current(workspaceId);
      const found = current && usable(key, current.revision);
      return found ?? share(`${key}@${current?.revision ?? ''}`, () => loadWorkingCopy(key, workspaceId, decisionId));
    },
    async bundle(programId) {
      return (
        bundles.get(programId) ??
        share(programId, async () => {
          const manifest = manifests.get(programId);
          if (manifest === undefined) throw new Error(`the manifest of program ${programId} is gone`);
          const text = await readBundle(database, manifest);
          bundles.set(programId, text);
          return text;
        })
      );
    },
  };
}

const noDecision = (id: string): Problem =>
  new Problem('decision_not_found', `There is no decision ${id} in this workspace.`);

async function readBundle(database: Knex, manifestText: string): Promise<string> {
  const manifest = JSON.parse(manifestText) as Manifest;
  const contents = await readContents(
    database,
    manifest.entries.map(({ content }) => content),
  );
  return JSON.stringify({ manifest, contents: Object.fromEntries(contents) } satisfies Bundle);
}

/** What contents name never changes, so it is remembered by hash and the texts are not read again. */
function createNames(database: Knex): NamesOf {
  const remembered = new LRUCache<string, readonly string[]>({ max: maxNames });
  return async (hashes) => {
    const names = new Map<string, readonly string[]>();
    for (const hash of hashes) {
      const found = remembered.get(hash);
      if (found !== undefined) names.set(hash, found);
    }
    const texts = await readContents(
      database,
      hashes.filter((hash) => !names.has(hash)),
    );
    for (const [hash, text] of texts) {
      const found = subDecisionKeys(JSON.parse(text));
      remembered.set(hash, found);
      names.set(hash, found);
    }
    return names;
  };
}

/** Callers that ask for the same thing while it is being fetched get the same promise. */
function createShare(): <T>(key: string, work: () => Promise<T>) => Promise<T> {
  const flights = new Map<string, Promise<unknown>>();
  return <T>(key: string, work: () => Promise<T>): Promise<T> => {
    const flight = flights.get(key);
    // The key names what is fetched, so what it gives is of one type.
    if (flight !== undefined) return flight as Promise<T>;
    const started = work().finally(() => flights.delete(key));
    flights.set(key, started);
    return started;
  };
}
