import { Dialog } from '../parts/dialog.js';
import { Principal, usePrincipals } from '../parts/principals.js';
import { Time, versionName } from '../parts/small.js';
import { Table } from '../parts/table.js';
import { useLoaded } from '../parts/useLoaded.js';
import { Link } from '../shell/router.js';
import { useSession } from '../shell/session.js';
import type { Cell } from './inForce.js';

const columns = ['Version', 'Name', 'Message', 'By', 'Signed in as', 'When', 'Executions'];

/** Entries of the audit trail that are looked through. */
const maxEntries = 1000;

/** Whose tokens made deployments, by their ids; null where that is not known, or may not be read. */
function useSignedIn({ history }: Cell): ReadonlyMap<string, string> | null {
  const { api, who } = useSession();
  const mayRead = who.scopes === null || who.scopes.has('audit:read');
  const { value } = useLoaded(
    async (signal) => {
      if (!mayRead) return null;
      const filter = { resourceType: 'deployment', action: 'deployment.create', order: 'desc', size: maxEntries };
      const { data } = await api.auditEntries(filter, signal);
      return new Map(data.map(({ resource, principal }) => [resource.id, principal]));
    },
    [api, mayRead, history],
  );
  return value;
}

/** All that was in force of a decision in an environment, the newest first. */
export function HistoryDialog({ cell, onClose }: { readonly cell: Cell; readonly onClose: () => void }) {
  const signedIn = useSignedIn(cell);
  const names = usePrincipals();
  return (
    <Dialog
      title={`${cell.decision.key} in ${cell.environment.name}`}
      action="Done"
      cancel="Close"
      isWide
      onClose={onClose}
      onSubmit={() => Promise.resolve()}
    >
      <Table
        label="History"
        columns={columns}
        rows={cell.history}
        cells={({ id, version, name, message, deployedBy, createdAt, decisionId }, index) => (
          <>
            <th scope="row">
              <Link to={`/decisions/${decisionId}?version=${version}`}>{versionName(version)}</Link>
              {index === 0 && <span class="mark good">in force</span>}
            </th>
            <td>{name}</td>
            <td class="wrapped">{message}</td>
            <td>
              <bdi>{deployedBy}</bdi>
            </td>
            <td>
              <Principal id={signedIn?.get(id) ?? null} names={names} />
            </td>
            <td>
              <Time at={createdAt} />
            </td>
            <td>
              <Link to={`/executions?deploymentId=${id}`} aria-label={`runs of ${name}, ${createdAt}`}>
                runs
              </Link>
            </td>
          </>
        )}
      />
    </Dialog>
  );
}
