import { Problem } from '../errors.js';
import type { AnyVersion } from './routes/representation.js';
import { readDependencies, readVersion, type Reading } from './readVersion.js';
import type { Dependency } from './versions.store.js';

/** A version, or the working copy, with the decisions that it runs. */
export interface VersionRunning {
  readonly version: AnyVersion;
  readonly dependencies: readonly Dependency[];
}

/** A decision that one of two versions runs with another content than the other; null where one of them does not run it. */
export interface ChangedDependency {
  readonly key: string;
  readonly decisionId: string;
  readonly change: 'added' | 'removed' | 'changed';
  readonly before: string | null;
  readonly after: string | null;
}

/** @throws Problem `decision_not_found`, `version_not_found` */
export async function readVersionRunning(
  reading: Reading,
  { workspaceId, ...named }: { readonly workspaceId: string; readonly id: string; readonly version: number },
): Promise<VersionRunning> {
  const version = await readVersion(reading.database, { workspaceId, ...named });
  return { version, dependencies: await readDependencies(reading, workspaceId, version) };
}

/** A decision as a version runs it. @throws Problem `decision_not_found` */
export function requireDependency({ version, dependencies }: VersionRunning, id: string): Dependency {
  const found = dependencies.find(({ decisionId }) => decisionId === id);
  if (found !== undefined) return found;
  throw new Problem('decision_not_found', `${nameOf(version)} runs no decision ${id}.`);
}

const nameOf = ({ version }: AnyVersion): string => (version === 0 ? 'The working copy' : `Version ${version}`);

/** The decisions that two versions run with different contents, in the order of the newer one; those that it does not run come last. */
export function changedDependencies(before: readonly Dependency[], after: readonly Dependency[]): ChangedDependency[] {
  const [old, young] = [before, after].map((each) => new Map(each.map((one) => [one.decisionId, one.contentHash])));
  return [...after, ...before.filter(({ decisionId }) => young?.has(decisionId) !== true)].flatMap(
    ({ key, decisionId }): ChangedDependency[] => {
      const [was, is] = [old?.get(decisionId) ?? null, young?.get(decisionId) ?? null];
      if (was === is) return [];
      const change = was === null ? 'added' : is === null ? 'removed' : 'changed';
      return [{ key, decisionId, change, before: was, after: is }];
    },
  );
}
