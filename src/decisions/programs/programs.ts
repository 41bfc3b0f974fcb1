import type { Knex } from 'knex';
import { LRUCache } from 'lru-cache';
import { Problem } from '../../errors.js';
import { textBytes } from '../../http/body/byteBudget.js';
import { createCache } from '../../storage/cache.js';
import { findDecision, readRevision } from '../decisions.store.js';
import { createWorkspaceReader, type WorkspaceReader } from '../directories.js';
import type { ReadBundle } from './bundles.js';
import { createKeptPrograms } from './keptPrograms.js';
import { findKeptManifest } from './keptPrograms.store.js';
import { createKnownPrograms, type KnownPrograms, type LoadedProgram } from './knownPrograms.js';
import { reachOf } from '../writing/manifest.js';
import { findManifest } from '../versions.store.js';

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
  /** Throws or rejects with `decision_not_found`, unless the decision was there at most `maxAgeMs` ago. */
  requireDecision(workspaceId: string, decisionId: string): void | Promise<void>;
  /**
   * To be called after decisions of a workspace were written: this process uses them from now on, others within
   * `maxAgeMs`.
   */
  written(workspaceId: string): void;
  /**
   * `Bundle` as JSON text, of a program that `programOf` gave; read on the workspace's account. Rejects with
   * `model_too_large`, and `overloaded`.
   */
  bundle(workspaceId: string, programId: string): Promise<string>;
  /**
   * To be awaited before the record of an execution names a program that `programOf` gave for a working copy. Undefined
   * when it is kept already. Rejects when MySQL can't take it.
   */
  keep(workspaceId: string, programId: string): Promise<void> | undefined;
  /** The same of a program that a recorded execution names; undefined when it is gone. */
  recorded(workspaceId: string, program: RecordedProgram): Promise<string | undefined>;
}

/** The program that a recorded execution ran. */
export interface RecordedProgram extends ProgramRef {
  readonly decisionId: string;
  readonly version: number;
}

const maxWorkspaces = 50_000;
/** Bytes of all bundles that are cached. */
const maxBundles = 128 * 1024 * 1024;

/**
 * @param workingCopies of all workspaces, shared with other readers
 * @param maxAgeMs oldest working copy that may be used, counted from the start of its read
 */
export function createPrograms({
  database,
  readBundle,
  workingCopies = createWorkspaceReader(database),
  maxAgeMs = 900,
}: {
  readonly database: Knex;
  readonly readBundle: ReadBundle;
  readonly workingCopies?: WorkspaceReader;
  readonly maxAgeMs?: number;
}): Programs {
  const revisions = createCache({
    max: maxWorkspaces,
    maxAgeMs,
    load: (workspaceId) => readRevision(database, workspaceId),
  });
  const known = createKnownPrograms((key) => loadProgram(database, workingCopies, key));
  const kept = createKeptPrograms(database);
  /** Decisions that were there at a revision. */
  const found = new LRUCache<string, true>({
    max: maxWorkspaces,
    fetchMethod: (key) => requireDecision(database, key),
    ignoreFetchAbort: true,
  });
  const bundles = new LRUCache<string, string>({
    maxSize: maxBundles,
    sizeCalculation: textBytes,
    fetchMethod: (key) => loadBundle(readBundle, known, key),
    ignoreFetchAbort: true,
  });
  /** The key of a working copy at the workspace's revision. */
  const keyAt = (workspaceId: string, decisionId: string, revision: number | undefined): string => {
    if (revision === undefined) throw noDecision(decisionId);
    return `${workspaceId}/${decisionId}/0/${revision}`;
  };
  return {
    programOf(workspaceId, decisionId, version) {
      if (version > 0) return known.get(`${workspaceId}/${decisionId}/${version}`);
      const current = revisions.get(workspaceId);
      return current instanceof Promise
        ? current.then((revision) => known.get(keyAt(workspaceId, decisionId, revision)))
        : known.get(keyAt(workspaceId, decisionId, current));
    },
    requireDecision(workspaceId, decisionId) {
      const current = revisions.get(workspaceId);
      const check = (revision: number | undefined): void | Promise<void> => {
        const key = keyAt(workspaceId, decisionId, revision);
        return found.get(key) === true ? undefined : found.fetch(key).then(() => undefined);
      };
      return current instanceof Promise ? current.then(check) : check(current);
    },
    written: (workspaceId) => revisions.invalidate(workspaceId),
    bundle: (workspaceId, programId) => bundles.forceFetch(`${workspaceId}/${programId}`),
    keep: (workspaceId, programId) => kept.keep(workspaceId, programId, () => known.manifestOf(programId)),
    recorded: (workspaceId, program) => readRecorded({ database, readBundle }, workspaceId, program),
  };
}

async function requireDecision(database: Knex, key: string): Promise<true> {
  const [workspaceId = '', decisionId = ''] = key.split('/');
  if ((await findDecision(database, workspaceId, decisionId)) === undefined) throw noDecision(decisionId);
  return true;
}

/** @param key workspace, decision and version; for version 0, the working copy, also the workspace's revision */
async function loadProgram(database: Knex, workingCopies: WorkspaceReader, key: string): Promise<LoadedProgram> {
  const [workspaceId = '', decisionId = '', version, revision] = key.split('/');
  if (revision !== undefined) {
    const directory = workingCopies.directoryOf(workspaceId);
    await directory.read({ ids: [decisionId] });
    const root = directory.find(decisionId);
    if (root === undefined) throw noDecision(decisionId);
    // Missing sub-decisions are left out of the manifest: a run that reaches one reports it.
    return reachOf(root, directory, workingCopies.namesOf);
  }
  const found = await findManifest(database, workspaceId, decisionId, Number(version));
  if (found !== undefined) return found;
  await requireDecision(database, key);
  throw new Problem('version_not_found', `Decision ${decisionId} has no version ${version}.`);
}

/** @param key workspace and program: the bundle is read on the workspace's account, so that none waits on another's */
async function loadBundle(readBundle: ReadBundle, known: KnownPrograms, key: string): Promise<string> {
  const [workspaceId = '', programId = ''] = key.split('/');
  const manifest = known.manifestOf(programId);
  if (manifest === undefined) throw new Error(`the manifest of program ${programId} is gone`);
  const text = await readBundle(workspaceId, manifest);
  if (text === undefined) throw new Error(`contents of program ${programId} are gone`);
  return text;
}

/** Versions have their manifests for ever, those of working copies are kept for the records. */
async function readRecorded(
  { database, readBundle }: { readonly database: Knex; readonly readBundle: ReadBundle },
  workspaceId: string,
  { programId, decisionId, version }: RecordedProgram,
): Promise<string | undefined> {
  if (version === 0) {
    const manifest = await findKeptManifest(database, workspaceId, programId);
    return manifest === undefined ? undefined : readBundle(workspaceId, manifest);
  }
  const found = await findManifest(database, workspaceId, decisionId, version);
  return found?.programId === programId ? readBundle(workspaceId, found.manifest) : undefined;
}

const noDecision = (id: string): Problem =>
  new Problem('decision_not_found', `There is no decision ${id} in this workspace.`);
