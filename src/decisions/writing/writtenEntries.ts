import type { Actor } from '../../audit/actor.js';
import type { NewAuditEntry } from '../../audit/audit.store.js';
import type { DecisionIndex, DecisionEntry } from '../decisionIndex.js';
import { decisionDocument, versionDocument } from '../routes/representation.js';
import { savedByOf } from '../versions.store.js';
import type { Writes } from './writes.js';

/**
 * The audit entries of writes: one for every decision made, changed or removed, and every version. There is none for a
 * decision's newest version number, nor for changed counts of faults: both follow from these.
 * @param decisionIndex the workspace before the writes
 */
export function entriesOf(
  { inserted, updated, removed, versions }: Writes,
  {
    workspaceId,
    actor,
    at,
    decisionIndex,
  }: { workspaceId: string; actor: Actor; at: Date; decisionIndex: Pick<DecisionIndex, 'find'> },
): NewAuditEntry[] {
  const entryOf = (before: DecisionEntry | undefined, after: DecisionEntry | undefined): NewAuditEntry[] => {
    const entry = after ?? before;
    if (entry === undefined) return [];
    return [
      {
        actor,
        workspaceId,
        action: `decision.${before === undefined ? 'create' : after === undefined ? 'delete' : 'update'}`,
        resource: { type: 'decision', id: entry.id, key: entry.key },
        before: before === undefined ? null : decisionDocument(workspaceId, before),
        after: after === undefined ? null : decisionDocument(workspaceId, after),
      },
    ];
  };
  const keys = new Map([...inserted, ...updated].map(({ id, key }) => [id, key]));
  return [
    ...inserted.flatMap((entry) => entryOf(undefined, entry)),
    ...updated.flatMap((entry) => {
      const before = decisionIndex.find(entry.id);
      return before?.key === entry.key && before.contentHash === entry.contentHash ? [] : entryOf(before, entry);
    }),
    ...removed.flatMap((entry) => entryOf(entry, undefined)),
    ...versions.map((version): NewAuditEntry => {
      const key = keys.get(version.decisionId);
      return {
        actor,
        workspaceId,
        action: 'version.create',
        resource: { type: 'version', id: version.decisionId, ...(key === undefined ? {} : { key }) },
        before: null,
        after: versionDocument({ ...version, savedBy: savedByOf(actor.principal), createdAt: at }),
      };
    }),
  ];
}
