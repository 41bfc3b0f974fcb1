import type { Decision, Version } from './decisions.schema.js';
import type { DecisionEntry } from '../decisionIndex.js';
import type { Version as StoredVersion } from '../versions.store.js';

/** A decision as clients and audit entries see it. */
export const decisionDocument = (workspaceId: string, entry: DecisionEntry): Decision => ({
  id: entry.id,
  workspaceId,
  key: entry.key,
  latestVersion: entry.latestVersion === 0 ? null : entry.latestVersion,
  contentHash: entry.contentHash,
  faults: entry.faults,
  warnings: entry.warnings,
  createdAt: entry.createdAt.toISOString(),
  updatedAt: entry.updatedAt.toISOString(),
});

/** A version as it is stored, or the working copy as version 0, which nobody has saved. */
export type AnyVersion = Omit<StoredVersion, 'programId' | 'savedBy'> & { readonly savedBy: string | null };

/** A version as clients and audit entries see it, without its content. */
export const versionDocument = ({
  decisionId,
  version,
  contentHash,
  message,
  savedBy,
  createdAt,
}: AnyVersion): Version => ({
  decisionId,
  version,
  contentHash,
  message,
  savedBy,
  createdAt: createdAt.toISOString(),
});
