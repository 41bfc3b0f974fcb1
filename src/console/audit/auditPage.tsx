import { ChoiceFilter, Filters, TextFilter, TimeFilter } from '../parts/filters.js';
import { usePrincipals } from '../parts/principals.js';
import { PageFrame } from '../parts/small.js';
import { useRouter } from '../shell/router.js';
import { useSession } from '../shell/session.js';
import { AuditTable } from './auditTable.js';
import { auditKinds } from './kinds.js';

const names = ['resourceType', 'action', 'principal', 'resourceId', 'from', 'to'] as const;

/** Who changed what in the workspace, by the filters that the address names. */
export function AuditPage() {
  const { api } = useSession();
  const { query } = useRouter();
  const clients = usePrincipals();
  const filter = Object.fromEntries(names.map((name) => [name, query.get(name)]));
  const isFiltered = Object.values(filter).some((value) => value !== null);
  return (
    <PageFrame title="Audit">
      <Filters label="Audit entries" names={names}>
        <ChoiceFilter
          name="resourceType"
          label="Kind"
          options={auditKinds.map((kind) => [kind, kind.replaceAll('_', ' ')])}
        />
        <TextFilter name="action" label="What" placeholder="deployment.create" />
        <ChoiceFilter name="principal" label="Who" options={[...clients]} />
        <TextFilter name="resourceId" label="Of" placeholder="an id" />
        <TimeFilter name="from" label="From" since />
        <TimeFilter name="to" label="To" />
      </Filters>
      <AuditTable
        load={(page, signal) => api.auditEntries({ ...filter, order: 'desc', ...page }, signal)}
        inputs={[api, JSON.stringify(filter)]}
        empty={isFiltered ? 'No entry fits these filters.' : 'Nothing was written in this workspace yet.'}
      />
    </PageFrame>
  );
}
