import { useSession } from '../shell/session.js';
import { AuditTable } from './auditTable.js';

interface DecisionChangesProps {
  readonly decisionId: string;
  /** Whatever it changes with. */
  readonly state: unknown;
}

/** The audit trail of one decision: who changed it, saved versions of it, and when. */
export function DecisionChanges({ decisionId, state }: DecisionChangesProps) {
  const { api } = useSession();
  return (
    <AuditTable
      load={(page, signal) => api.auditEntries({ resourceId: decisionId, order: 'desc', ...page }, signal)}
      inputs={[api, decisionId, state]}
      empty="Nothing was written down of this decision yet."
    />
  );
}
