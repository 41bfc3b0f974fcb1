import { permitted } from '../api/client.js';
import type { ChangeRequest } from '../api/types.js';
import { byEnvironment } from '../deployments/protected.js';
import { List } from '../parts/list.js';
import { Button, EnvironmentMark, PageFrame, Shown, Time } from '../parts/small.js';
import { Principal } from '../parts/principals.js';
import type { Column } from '../parts/table.js';
import { useLoaded } from '../parts/useLoaded.js';
import { useNames, type Names } from '../parts/useNames.js';
import { Link, useRouter } from '../shell/address.js';
import { useMay, useSession } from '../shell/session.js';
import { NewRequest } from './newRequest.js';
import { changeText, StateMark } from './words.js';

const states = ['OPEN', 'APPROVED', 'APPLIED', 'REJECTED', 'CLOSED'] as const;

const columnsOf = (names: Names): readonly Column<ChangeRequest>[] => [
  ['Title', ({ id, title }) => <Link to={`/requests/${id}`}>{title}</Link>],
  ['State', ({ state }) => <StateMark state={state} />],
  ['Environment', ({ environmentId }) => <EnvironmentMark environment={names.environmentOf(environmentId)} />],
  ['Changes', ({ changes }) => changes.map((change, index) => <div key={index}>{changeText(change, names)}</div>)],
  ['Author', ({ author }) => <Principal id={author} />],
  ['Created', ({ createdAt }) => <Time at={createdAt} />],
];

/** What somebody asked to change in protected environments. */
export function RequestsPage() {
  const { api } = useSession();
  const may = useMay();
  const { query, setQuery } = useRouter();
  const isAsking = query.get('new') !== null;
  const environmentId = query.get('environment');
  const named = useNames();
  const protections = useLoaded((signal) => permitted(api.all('GET /logic/protections', {}, signal), []), [api]).value;
  return (
    <PageFrame
      title="Requests"
      actions={
        may('change:write') && (
          <Button name="New request" class="primary" onClick={() => setQuery({ new: 'yes' }, true)} />
        )
      }
    >
      <Shown loaded={named}>
        {(names) => (
          <>
            <List
              label="Requests"
              route="GET /logic/change-requests"
              query={{ order: 'desc' }}
              file="requests.csv"
              filters={[{ kind: 'choice', name: 'state', label: 'State', options: states.map((each) => [each, each]) }]}
              columns={columnsOf(names)}
              empty="No request. In a protected environment nothing changes without one."
            />
            {isAsking && protections !== null && (
              <NewRequest
                names={names}
                protections={byEnvironment(protections)}
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
