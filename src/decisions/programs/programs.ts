import type { Knex } from 'knex';
import { Recent } from '../../../workers/recent/index.js';
import { createCache, type Cache } from '../../cache/cache.js';
import { Problem, notInWorkspace } from '../../errors.js';
import { textBytes } from '../../admission/byteBudget.js';
import type { Connection } from '../../storage/database.js';
import { readWriteState, requireDecision } from '../decisions.store.js';
import type { WorkspaceReader } from '../workspaceReader.js';
import type { ReadBundle } from './bundles.js';
import { findKeptManifest, keepProgram } from './keptPrograms.store.js';
import { reachOf } from '../writing/manifest.js';
import { findManifest } from '../versions.store.js';

interface ProgramRef {
  /** SHA-256 (hex) of the manifest. */
  readonly programId: string;
}

/** A program and its manifest (JSON). */
interface LoadedProgram extends ProgramRef {
  readonly manifest: string;
}

/** The program that a recorded execution ran. */
interface RecordedProgram extends ProgramRef {
  readonly decisionId: string;
  readonly version: number;
}

const maxWorkspaces = 50_000;
const maxPrograms = 50_000;
/** UTF-16 units of all manifests together. */
const maxManifests = 64 * 1024 * 1024;
/** Bytes of all bundles that are cached. */
const maxBundles = 128 * 1024 * 1024;
/** For so long a process does not write again that it uses a kept program; `used_at` of a program in use is never older. */
export const keptForMs = 60 * 60 * 1000;

interface ProgramsDependencies {
  readonly database: Knex;
  readonly readBundle: ReadBundle;
  /** Of all workspaces, shared with other readers. */
  readonly workingCopies: WorkspaceReader;
  /** Oldest working copy that may be used, counted from the start of its read. */
  readonly maxAgeMs: number;
}

/** From a decision's version to what a worker compiles. */
export class Programs {
  readonly #parts: ProgramsDependencies;
  readonly #revisions: Cache<number | undefined>;
  /** By workspace, decision and version; of a working copy by the workspace's revision, too. */
  readonly #programs: Cache<ProgramRef>;
  readonly #manifests = new Recent<string>({ maxCount: maxPrograms, maxWeight: maxManifests });
  /** Decisions that were there at a revision. */
  readonly #found: Cache<true>;
  readonly #kept: Cache<true>;
  readonly #bundles: Cache<string>;

  constructor(parts: ProgramsDependencies) {
    const { database, maxAgeMs } = parts;
    this.#parts = parts;
    this.#revisions = createCache({
      maxCount: maxWorkspaces,
      maxAgeMs,
      load: async (workspaceId) => (await readWriteState(database, workspaceId))?.revision,
    });
    this.#programs = createCache({
      maxCount: maxPrograms,
      load: async (key) => {
        const { programId, manifest } = await loadProgram(parts, key);
        this.#manifests.set(programId, manifest, manifest.length, workspaceOf(key));
        return { programId };
      },
    });
    this.#found = createCache<true>({
      maxCount: maxWorkspaces,
      async load(key) {
        const [workspaceId = '', decisionId = ''] = key.split('/');
        await requireDecision(database, workspaceId, decisionId);
        return true;
      },
    });
    this.#kept = createCache({ maxCount: maxPrograms, maxAgeMs: keptForMs, load: (key) => this.#keep(key) });
    this.#bundles = createCache({
      maxCount: maxPrograms,
      maxWeight: maxBundles,
      weigh: textBytes,
      load: (key) => this.#loadBundle(key),
    });
  }

  /**
   * The program of a saved version, or for version 0 of the working copy, at most `maxAgeMs` old. Synchronous while
   * cached. Throws or rejects with `decision_not_found` or `version_not_found`.
   */
  programOf(workspaceId: string, decisionId: string, version: number): ProgramRef | Promise<ProgramRef> {
    if (version > 0) return this.#get(`${workspaceId}/${decisionId}/${version}`);
    const current = this.#revisions.get(workspaceId);
    return current instanceof Promise
      ? current.then((revision) => this.#get(keyAt(workspaceId, decisionId, revision)))
      : this.#get(keyAt(workspaceId, decisionId, current));
  }

  #get(key: string): ProgramRef | Promise<ProgramRef> {
    const found = this.#programs.get(key);
    // Reading the manifest marks it as recently used, because `bundle` may follow.
    if (found instanceof Promise || this.#manifests.get(found.programId) !== undefined) return found;
    this.#programs.invalidate(key);
    return this.#programs.get(key);
  }

  /** Throws or rejects with `decision_not_found`, unless the decision was there at most `maxAgeMs` ago. */
  async requireDecision(workspaceId: string, decisionId: string): Promise<void> {
    await this.#found.get(keyAt(workspaceId, decisionId, await this.#revisions.get(workspaceId)));
  }

  /** To be called after decisions of a workspace were written: this process uses them from now on, others within `maxAgeMs`. */
  written(workspaceId: string): void {
    this.#revisions.invalidate(workspaceId);
  }

  /**
   * `Bundle` as JSON text, of a program that `programOf` gave; read on the workspace's account, so that none waits on
   * another's. Rejects with `model_too_large`, and `overloaded`.
   */
  async bundle(workspaceId: string, programId: string): Promise<string> {
    return this.#bundles.get(`${workspaceId}/${programId}`);
  }

  async #loadBundle(key: string): Promise<string> {
    const [workspaceId = '', programId = ''] = key.split('/');
    const text = await this.#parts.readBundle(workspaceId, this.#manifestOf(programId));
    if (text === undefined) throw new Error(`contents of program ${programId} are gone`);
    return text;
  }

  /**
   * To be awaited before the record of an execution names a program that `programOf` gave for a working copy. Undefined
   * when it is kept already. Rejects when MySQL can't take it.
   */
  keep(workspaceId: string, programId: string): Promise<unknown> | undefined {
    const kept = this.#kept.get(`${workspaceId}/${programId}`);
    return kept === true ? undefined : kept;
  }

  async #keep(key: string): Promise<true> {
    const [workspaceId = '', programId = ''] = key.split('/');
    await keepProgram(this.#parts.database, workspaceId, { programId, manifest: this.#manifestOf(programId) });
    return true;
  }

  #manifestOf(programId: string): string {
    const manifest = this.#manifests.get(programId);
    if (manifest === undefined) {
      // So many other programs were used since it was found that this one has to be found anew.
      const message = 'Too many other programs were used while this one was looked for; try again shortly.';
      throw new Problem('overloaded', message, { retryAfter: 1 });
    }
    return manifest;
  }

  /** The bundle of a program that a recorded execution names; undefined when it is gone. */
  async recorded(workspaceId: string, program: RecordedProgram): Promise<string | undefined> {
    const { database, readBundle } = this.#parts;
    const manifest = await recordedManifest(database, workspaceId, program);
    return manifest === undefined ? undefined : readBundle(workspaceId, manifest);
  }
}

/**
 * The manifest (JSON) of a program that a recorded execution names; undefined when it is gone. Versions have theirs for
 * ever, those of working copies are kept for the records.
 */
export async function recordedManifest(
  connection: Connection,
  workspaceId: string,
  { programId, decisionId, version }: RecordedProgram,
): Promise<string | undefined> {
  if (version === 0) return findKeptManifest(connection, workspaceId, programId);
  const found = await findManifest(connection, workspaceId, decisionId, version);
  return found?.programId === programId ? found.manifest : undefined;
}

const workspaceOf = (key: string): string => key.slice(0, key.indexOf('/'));

/** The key of a working copy at the workspace's revision. */
function keyAt(workspaceId: string, decisionId: string, revision: number | undefined): string {
  if (revision === undefined) throw notInWorkspace('decision', decisionId);
  return `${workspaceId}/${decisionId}/0/${revision}`;
}

/** @param key workspace, decision and version; for version 0, the working copy, also the workspace's revision */
async function loadProgram({ database, workingCopies }: ProgramsDependencies, key: string): Promise<LoadedProgram> {
  const [workspaceId = '', decisionId = '', version, revision] = key.split('/');
  if (revision !== undefined) {
    const decisionIndex = workingCopies.decisionIndexOf(workspaceId);
    await decisionIndex.read({ ids: [decisionId] });
    const root = decisionIndex.find(decisionId);
    if (root === undefined) throw notInWorkspace('decision', decisionId);
    // Missing sub-decisions are left out of the manifest: a run that reaches one reports it.
    return reachOf(root, decisionIndex, workingCopies.namesOf);
  }
  const found = await findManifest(database, workspaceId, decisionId, Number(version));
  if (found !== undefined) return found;
  await requireDecision(database, workspaceId, decisionId);
  throw new Problem('version_not_found', `Decision ${decisionId} has no version ${version}.`);
}
