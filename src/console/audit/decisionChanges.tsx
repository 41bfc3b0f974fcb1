import { AuditTable } from './auditTable.js';

interface DecisionChangesProps {
  readonly decisionId: string;
  /** Whatever it changes with. */
  readonly state: unknown;
}

/** The audit trail of one decision: who changed it, saved versions of it, and when. */
export function DecisionChanges({ decisionId, state }: DecisionChangesProps) {
  return (
    <AuditTable
      query={{ resourceId: decisionId }}
      state={state}
      empty="Nothing was written down of this decision yet."
    />
  );
}
