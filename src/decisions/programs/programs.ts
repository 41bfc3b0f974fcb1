import type { Knex } from 'knex';
import { LRUCache } from 'lru-cache';
import type { Bundle, Manifest } from '../../../workers/protocol.js';
import { Problem } from '../../errors.js';
import { createFreshCache, type FreshCache } from '../../storage/freshCache.js';
import { readContents } from '../contents.store.js';
import { findDecision, readRevision } from '../decisions.store.js';
import { createWorkspaceReader, type WorkspaceReader } from '../directories.js';
import { createKeptPrograms } from './keptPrograms.js';
import { findKeptManifest } from './keptPrograms.store.js';
import { createKnownPrograms, type KnownProgram, type KnownPrograms } from './knownPrograms.js';
import { reachOf } from '../writing/manifest.js';
import { createSingleFlight } from './singleFlight.js';
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
  /** `Bundle` as JSON text, of a program that `programOf` gave. */
  bundle(programId: string): Promise<string>;
  /**
   * To be awaited before the record of an execution names a program that `programOf` gave for a working copy. Undefined
   * when it is kept already. Rejects when MySQL can't take it.
   */
  keep(workspaceId: string, programId: string): Promise<void> | undefined;
  /** `Bundle` as JSON text, of a program that a recorded execution names; undefined when it is gone. */
  recorded(workspaceId: string, program: RecordedProgram): Promise<string | undefined>;
}

/** The program that a recorded execution ran. */
export interface RecordedProgram extends ProgramRef {
  readonly decisionId: string;
  readonly version: number;
}

/** A version of a decision, and the key that it is known by. */
interface Wanted {
  readonly key: string;
  readonly workspaceId: string;
  readonly decisionId: string;
  readonly version: number;
}

type Revisions = FreshCache<{ readonly revision: number }>;

const maxWorkspaces = 50_000;
/** UTF-16 units of all bundles together. */
const maxBundles = 128 * 1024 * 1024;

/**
 * @param workingCopies of all workspaces, shared with other readers
 * @param maxAgeMs oldest working copy that may be used, counted from the start of its read
 */
export function createPrograms({
  database,
  workingCopies = createWorkspaceReader(database),
  maxAgeMs = 900,
}: {
  database: Knex;
  workingCopies?: WorkspaceReader;
  maxAgeMs?: number;
}): Programs {
  const known = createKnownPrograms();
  const kept = createKeptPrograms(database);
  const revisions = createRevisions(database, maxAgeMs);
  const loadWorkingCopy = createWorkingCopies(workingCopies, known, revisions);
  const share = createSingleFlight();
  /** The revision at which a decision was last seen. */
  const found = new LRUCache<string, number>({ max: maxWorkspaces });
  return {
    programOf(workspaceId, decisionId, version) {
      const key = `${workspaceId}/${decisionId}/${version}`;
      const wanted = { key, workspaceId, decisionId, version };
      if (version > 0) return known.get(key, 0) ?? share(key, () => loadVersion(database, known, wanted));
      const current = revisions.current(workspaceId);
      const fresh = current && known.get(key, current.revision);
      return fresh ?? share(`${key}@${current?.revision ?? ''}`, () => loadWorkingCopy(wanted));
    },
    requireDecision(workspaceId, decisionId) {
      const current = revisions.current(workspaceId);
      const key = `${workspaceId}/${decisionId}`;
      if (current !== undefined && found.get(key) === current.revision) return undefined;
      return share(`${key}@${current?.revision ?? ''}`, async () => {
        const revision = current?.revision ?? (await revisions.read(workspaceId))?.revision;
        if (revision !== undefined && found.get(key) === revision) return;
        const decision = await findDecision(database, workspaceId, decisionId);
        if (decision === undefined || revision === undefined) throw noDecision(decisionId);
        found.set(key, revision);
      });
    },
    written: (workspaceId) => revisions.forget(workspaceId),
    bundle: createBundles(database, known),
    keep: (workspaceId, programId) => kept.keep(workspaceId, programId, () => known.manifestOf(programId)),
    recorded: (workspaceId, program) => readRecorded(database, workspaceId, program),
  };
}

function createRevisions(database: Knex, maxAgeMs: number): Revisions {
  return createFreshCache<{ revision: number }>({
    max: maxWorkspaces,
    maxAgeMs,
    refreshAfterMs: maxAgeMs / 2,
    async load(workspaceId) {
      const revision = await readRevision(database, workspaceId);
      return revision === undefined ? undefined : { revision };
    },
  });
}

async function loadVersion(
  database: Knex,
  known: KnownPrograms,
  { key, workspaceId, decisionId, version }: Wanted,
): Promise<KnownProgram> {
  const found = await findManifest(database, workspaceId, decisionId, version);
  if (found !== undefined) return known.keep(key, { programId: found.programId, revision: Infinity }, found.manifest);
  if ((await findDecision(database, workspaceId, decisionId)) === undefined) throw noDecision(decisionId);
  throw new Problem('version_not_found', `Decision ${decisionId} has no version ${version}.`);
}

function createWorkingCopies(
  { directoryOf, namesOf }: WorkspaceReader,
  known: KnownPrograms,
  revisions: Revisions,
): (wanted: Wanted) => Promise<KnownProgram> {
  return async ({ key, workspaceId, decisionId }) => {
    const current = await revisions.read(workspaceId);
    if (current === undefined) throw noDecision(decisionId);
    const found = known.get(key, current.revision);
    if (found !== undefined) return found;
    const { revision, directory } = await directoryOf(workspaceId, current.revision);
    const root = directory.find(decisionId);
    if (root === undefined) throw noDecision(decisionId);
    // Missing sub-decisions are left out of the manifest: a run that reaches one reports it.
    const { programId, manifest } = await reachOf(root, directory, namesOf);
    return known.keep(key, { programId, revision }, manifest);
  };
}

function createBundles(database: Knex, known: KnownPrograms): (programId: string) => Promise<string> {
  const bundles = new LRUCache<string, string>({ maxSize: maxBundles, sizeCalculation: (text) => text.length });
  const share = createSingleFlight();
  return async (programId) =>
    bundles.get(programId) ??
    share(programId, async () => {
      const manifest = known.manifestOf(programId);
      if (manifest === undefined) throw new Error(`the manifest of program ${programId} is gone`);
      const text = await readBundle(database, manifest);
      if (text === undefined) throw new Error(`contents of program ${programId} are gone`);
      bundles.set(programId, text);
      return text;
    });
}

/** Versions have their manifests for ever, those of working copies are kept for the records. */
async function readRecorded(
  database: Knex,
  workspaceId: string,
  { programId, decisionId, version }: RecordedProgram,
): Promise<string | undefined> {
  if (version === 0) {
    const manifest = await findKeptManifest(database, workspaceId, programId);
    return manifest === undefined ? undefined : readBundle(database, manifest);
  }
  const found = await findManifest(database, workspaceId, decisionId, version);
  return found?.programId === programId ? readBundle(database, found.manifest) : undefined;
}

/** Undefined when a content is gone. */
async function readBundle(database: Knex, manifestText: string): Promise<string | undefined> {
  const manifest = JSON.parse(manifestText) as Manifest;
  const hashes = new Set(manifest.entries.map(({ content }) => content));
  const contents = await readContents(database, hashes);
  if (contents.size < hashes.size) return undefined;
  return JSON.stringify({ manifest, contents: Object.fromEntries(contents) } satisfies Bundle);
}

const noDecision = (id: string): Problem =>
  new Problem('decision_not_found', `There is no decision ${id} in this workspace.`);
