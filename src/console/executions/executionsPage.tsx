import { permitted } from '../api/client.js';
import type { ExecutionSummary } from '../api/types.js';
import { EnvironmentMark, PageFrame, Shown, StatusMark, Time, versionName } from '../parts/small.js';
import { PagedTable, usePaged } from '../parts/pagedTable.js';
import { useNames, type Names } from '../parts/useNames.js';
import { useLoaded } from '../parts/useLoaded.js';
import { Link, useRouter } from '../shell/router.js';
import { useSession } from '../shell/session.js';
import { Filters, filterNames } from './filters.js';
import { SoughtForm } from './soughtForm.js';

const columns = ['When', 'Status', 'Decision', 'Version', 'Environment', 'Reference', 'Engine'];

/** Recorded executions, newest first, by the filters that the address names. */
export function ExecutionsPage() {
  const { api } = useSession();
  const { query } = useRouter();
  const named = useNames();
  const deployments = useLoaded((signal) => permitted(api.deployments(signal), []), [api]);
  const filter = Object.fromEntries(filterNames.map((name) => [name, query.get(name)]));
  const paged = usePaged(
    (page, signal) => api.executions({ ...filter, order: 'desc', ...page }, signal),
    [api, JSON.stringify(filter)],
  );
  return (
    <PageFrame
      title="Executions"
      actions={
        <button type="button" onClick={paged.loaded.reload}>
          Refresh
        </button>
      }
    >
      <Shown loaded={named}>
        {(names) => (
          <>
            <Filters {...names} deployments={deployments.value ?? []} />
            <SoughtForm
              filter={filter}
              columns={columns}
              cells={(execution) => <Cells execution={execution} names={names} />}
            />
            <PagedTable
              label="Executions"
              columns={columns}
              numbers={['Engine']}
              paged={paged}
              empty={<Nothing isFiltered={Object.values(filter).some((value) => value !== null)} />}
              render={(execution) => <Cells execution={execution} names={names} />}
            />
          </>
        )}
      </Shown>
    </PageFrame>
  );
}

const Nothing = ({ isFiltered }: { readonly isFiltered: boolean }) =>
  isFiltered ? (
    <>No execution fits these filters.</>
  ) : (
    <>
      No execution yet. <Link to="/deployments">Deploy a decision</Link>, then call{' '}
      <code>POST /logic/…/decisions/…/executions</code>: each is recorded before it is answered.
    </>
  );

interface CellsProps {
  readonly execution: ExecutionSummary;
  readonly names: Names;
}

const Cells = ({ execution, names: { keyOf, environmentOf } }: CellsProps) => {
  const { id, createdAt, status, decisionId, version, environmentId, reference, performance } = execution;
  return (
    <>
      <th scope="row">
        <Link to={`/executions/${id}`}>
          <Time at={createdAt} />
        </Link>
      </th>
      <td>
        <StatusMark status={status} />
      </td>
      <td>
        <Link to={`/decisions/${decisionId}`}>{keyOf(decisionId)}</Link>
      </td>
      <td>
        <Link to={`/decisions/${decisionId}?version=${version}`}>{versionName(version)}</Link>
      </td>
      <td>
        <EnvironmentMark environment={environmentOf(environmentId)} />
      </td>
      <td>{reference !== null && <code>{reference}</code>}</td>
      <td class="number">{performance}</td>
    </>
  );
};
