import { permitted } from '../api/client.js';
import type { ChangeRequest } from '../api/types.js';
import { EnvironmentMark, PageFrame, Shown, Time } from '../parts/small.js';
import { Principal, usePrincipals } from '../parts/principals.js';
import { PagedTable, usePaged } from '../parts/pagedTable.js';
import { useLoaded } from '../parts/useLoaded.js';
import { useNames, type Names } from '../parts/useNames.js';
import { Link, useRouter } from '../shell/router.js';
import { useSession } from '../shell/session.js';
import { NewRequest } from './newRequest.js';
import { changeText, StateMark } from './words.js';

const columns = ['Title', 'State', 'Environment', 'Changes', 'Author', 'Created'];
const states = ['OPEN', 'APPROVED', 'APPLIED', 'REJECTED', 'CLOSED'] as const;

/** What somebody asked to change in protected environments. */
export function RequestsPage() {
  const { api } = useSession();
  const { query, setQuery } = useRouter();
  const state = query.get('state');
  const isAsking = query.get('new') !== null;
  const environmentId = query.get('environment');
  const named = useNames();
  const people = usePrincipals();
  const guarded = useLoaded(
    async (signal) => {
      const protections = await permitted(api.protections(signal), []);
      return new Set(protections.map(({ environmentId }) => environmentId));
    },
    [api],
  );
  const paged = usePaged((page, signal) => api.changeRequests({ ...page, state, order: 'desc' }, signal), [api, state]);
  return (
    <PageFrame
      title="Requests"
      actions={
        <>
          <label class="inline">
            State
            <select value={state ?? ''} onChange={(event) => setQuery({ state: event.currentTarget.value || null })}>
              <option value="">all</option>
              {states.map((each) => (
                <option key={each} value={each}>
                  {each}
                </option>
              ))}
            </select>
          </label>
          <button type="button" onClick={paged.loaded.reload}>
            Refresh
          </button>
          <button type="button" class="primary" onClick={() => setQuery({ new: 'yes' }, true)}>
            New request
          </button>
        </>
      }
    >
      <Shown loaded={named}>
        {(names) => (
          <>
            <PagedTable
              label="Requests"
              columns={columns}
              paged={paged}
              empty="No request. In a protected environment nothing changes without one."
              render={(request) => <Cells request={request} names={names} people={people} />}
            />
            {isAsking && guarded.value !== null && (
              <NewRequest
                names={{ ...names, environments: names.environments.filter(({ id }) => guarded.value?.has(id)) }}
                {...(environmentId === null ? {} : { environmentId })}
                onClose={() => setQuery({ new: null, environment: null }, true)}
              />
            )}
          </>
        )}
      </Shown>
    </PageFrame>
  );
}

interface CellsProps {
  readonly request: ChangeRequest;
  readonly names: Names;
  readonly people: ReadonlyMap<string, string>;
}

const Cells = ({ request, names, people }: CellsProps) => (
  <>
    <th scope="row">
      <Link to={`/requests/${request.id}`}>{request.title}</Link>
    </th>
    <td>
      <StateMark state={request.state} />
    </td>
    <td>
      <EnvironmentMark environment={names.environmentOf(request.environmentId)} />
    </td>
    <td>
      {request.changes.map((change, index) => (
        <div key={index}>{changeText(change, names)}</div>
      ))}
    </td>
    <td>
      <Principal id={request.author} names={people} />
    </td>
    <td>
      <Time at={request.createdAt} />
    </td>
  </>
);
