import { permitted } from '../api/client.js';
import { useLoaded } from '../parts/useLoaded.js';
import { Link } from '../shell/address.js';
import { useSession } from '../shell/session.js';
import { isUndecided } from './words.js';

interface OpenRequestsProps {
  readonly decisionId: string;
  readonly environmentId: string;
}

/** Says that something of the decision is asked for in the environment already: who asks again makes others review twice. */
export function OpenRequests({ decisionId, environmentId }: OpenRequestsProps) {
  const { api } = useSession();
  const { value } = useLoaded(
    async (signal) => {
      if (decisionId === '' || environmentId === '') return [];
      const newest = { decisionId, environmentId, order: 'desc', size: 100 } as const;
      const page = await permitted(api.ask('GET /logic/change-requests', newest, signal), null);
      return page?.data.filter(isUndecided) ?? [];
    },
    [api, decisionId, environmentId],
  );
  if (value === null || value.length === 0) return null;
  return (
    <div class="fault warning" role="status">
      {value.length === 1 ? 'A request for it is open there: ' : 'Requests for it are open there: '}
      {value.map(({ id, title }, at) => (
        <span key={id}>
          {at > 0 && ', '}
          <Link to={`/requests/${id}`}>{title}</Link>
        </span>
      ))}
      . Close {value.length === 1 ? 'it' : 'them'} first, or go on with {value.length === 1 ? 'it' : 'one of them'}.
    </div>
  );
}
