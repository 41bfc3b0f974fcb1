import { usePrincipals } from '../parts/principals.js';
import { PageFrame } from '../parts/small.js';
import { AuditTable } from './auditTable.js';
import { auditKinds } from './kinds.js';

/** Who changed what in the workspace, by the filters that the address names. */
export function AuditPage() {
  const clients = usePrincipals();
  return (
    <PageFrame title="Audit">
      <AuditTable
        filters={[
          {
            kind: 'choice',
            name: 'resourceType',
            label: 'Kind',
            options: auditKinds.map((kind) => [kind, kind.replaceAll('_', ' ')]),
          },
          { kind: 'text', name: 'action', label: 'Action', placeholder: 'deployment.create' },
          { kind: 'choice', name: 'principal', label: 'Who', options: [...clients] },
          { kind: 'text', name: 'resourceId', label: 'Of', placeholder: 'an id' },
          { kind: 'time', name: 'from', label: 'From', since: true },
          { kind: 'time', name: 'to', label: 'To' },
        ]}
        empty="Nothing was written in this workspace yet."
      />
    </PageFrame>
  );
}
